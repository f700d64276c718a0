"""The suite that `quilate init` names after its folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from quilate.config import Suite
from quilate.scaffold import suite_name


@pytest.mark.parametrize(
    ("folder", "name"), [("Mi Tienda ñ", "mi-tienda"), ("日本", "agent"), ("a" * 62 + "-b", "a" * 62), ("--", "agent")]
)
def test_a_folders_name_becomes_a_suites(folder, name):
    assert suite_name(folder) == name


@given(st.text(max_size=200))
def test_whatever_the_folder_is_called_the_configuration_takes_the_name(folder):
    assert TypeAdapter(Suite).validate_python(suite_name(folder))
