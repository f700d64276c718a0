"""The judge's prompts: files, versioned, overridable, and refused where they could not work."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.judge_factories import suite_config

from quilate.errors import InputError
from quilate.judge.build import identify
from quilate.judge.prompts import PLACEHOLDERS, load_prompts


def test_a_repositorys_own_prompt_takes_the_shipped_ones_place(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("Eres juez. Eres estricto.")
    prompts = load_prompts(tmp_path)
    assert prompts.texts["system"] == "Eres juez. Eres estricto."
    assert prompts.texts["task"] == load_prompts().texts["task"]


def test_another_prompt_is_another_ruler(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    config = suite_config({"prompts": "p"})
    before = identify(config, base_dir=tmp_path)
    (tmp_path / "p" / "system.md").write_text("Otro juez.")
    assert identify(config, base_dir=tmp_path) != before


def test_a_folder_of_the_shipped_prompts_is_the_same_ruler(tmp_path: Path) -> None:
    shipped = load_prompts()
    for name, text in shipped.texts.items():
        (tmp_path / f"{name}.md").write_text(text + "\n")
    assert load_prompts(tmp_path).fingerprint == shipped.fingerprint


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("task.md", "{{questions}} {{nonce}} {{shape}}", "no {{data}}"),
        ("task.md", "{{questions}} {{nonce}} {{shape}} {{data}} {{secret}}", "{{secret}}, which nothing fills"),
        ("sistem.md", "x", "did you mean system.md?"),
        ("without_evidence.md", "resolved: x", "one line each for resolved, handed_over, tone"),
        ("system.md", "x" * 100_001, "stay below"),
    ],
)
def test_a_prompt_that_could_not_work_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as refused:
        load_prompts(tmp_path)
    assert said in str(refused.value)
    assert name in str(refused.value)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no folder"):
        load_prompts(tmp_path / "none")


def test_a_prompt_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_bytes("año".encode("latin-1"))
    with pytest.raises(InputError, match="write UTF-8"):
        load_prompts(tmp_path)


def test_prompts_of_other_commands_may_stand_beside(tmp_path: Path) -> None:
    (tmp_path / "side_by_side_task.md").write_text("x")
    load_prompts(tmp_path)


def test_no_shipped_prompt_asks_a_model_to_think_aloud() -> None:
    # Providers refuse requests to write out their reasoning; evidence and justification are asked for instead.
    for text in load_prompts().texts.values():
        assert "step by step" not in text.lower()
        assert "reasoning" not in text.lower()


def test_every_shipped_prompt_holds_its_placeholders() -> None:
    for name, needed in PLACEHOLDERS.items():
        for placeholder in needed:
            assert f"{{{{{placeholder}}}}}" in load_prompts().texts[name]
