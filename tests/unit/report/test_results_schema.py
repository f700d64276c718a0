"""`results.json` and its published schema agree."""

from __future__ import annotations

import json

from click.testing import CliRunner
from jsonschema import Draft202012Validator
from tests.html_factories import a_story

from quilate.cli import main
from quilate.report.results import Row, results_schema
from quilate.report.tables import COLUMNS


def test_what_is_written_fits_the_schema(tmp_path):
    base, head = a_story(tmp_path)
    for arguments in ([str(head)], [str(head), "--baseline", str(base)]):
        done = CliRunner().invoke(main, ["report", *arguments, "--format", "json"])
        Draft202012Validator(results_schema()).validate(json.loads(done.stdout))


def test_the_schema_is_printed_and_refuses_other_keys():
    schema = json.loads(CliRunner().invoke(main, ["schema", "results"]).stdout)
    Draft202012Validator.check_schema(schema)
    assert schema == results_schema()
    errors = list(Draft202012Validator(schema).iter_errors({"schema": 2, "extra": 1}))
    assert any("'extra' was unexpected" in error.message for error in errors)
    assert any("1 was expected" in error.message for error in errors)


def test_the_columns_are_the_schemas_keys():
    assert tuple(Row.model_fields) == COLUMNS
