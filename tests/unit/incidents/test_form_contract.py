"""The issue form that `quilate init` writes asks for exactly what the reader knows."""

from __future__ import annotations

from importlib import resources

import yaml

from quilate.goldens.incidents.answers import severity
from quilate.goldens.incidents.form import FIELDS
from quilate.goldens.incidents.labels import is_form_label, key_of


def _fields():
    form = yaml.safe_load(resources.files("quilate.templates").joinpath("golden-case.yml").read_text("utf-8"))
    return [each for each in form["body"] if each["type"] != "markdown"]


def test_labels_and_order_are_the_forms():
    assert [each["attributes"]["label"] for each in _fields()] == [field.label for field in FIELDS]


def test_every_label_of_the_form_is_known_to_the_reader():
    for each, field in zip(_fields(), FIELDS, strict=True):
        assert key_of(each["attributes"]["label"]) is field.key
        assert is_form_label(each["attributes"]["label"])


def test_every_choice_of_a_severity_is_understood():
    (choices,) = [each["attributes"]["options"] for each in _fields() if each["id"] == "severity"]
    assert [severity(choice) for choice in choices] == ["medium", "critical"]
