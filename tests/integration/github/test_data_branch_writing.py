"""Baselines on a branch, written over the API by one or many."""

from __future__ import annotations

import dataclasses
import threading
from random import Random

import pytest

from quilate.errors import QuilateError
from quilate.github.data_branch import BadRecordError, DataBranch, Saved
from quilate.github.errors import ForbiddenError
from quilate.github.git_data import GitData
from quilate.github.history import Origin, Point, point_of
from quilate.runs.reader import RunReader

MAIN = "main"


def sha(number):
    return f"{number:040x}"


def point(run, number, **overrides):
    with RunReader(run) as reader:
        made = point_of(reader, sha(number), Origin(MAIN, "push", number), recorded=True)
    return made.model_copy(update=overrides)


@pytest.fixture
def store(api_of):
    return DataBranch(GitData(api_of(contents="write")), "orders")


@pytest.fixture
def save(make_run):
    def save(store, number, grades="pppp", branch=MAIN):
        run = make_run(sha(number), grades)
        return store.save(run, point(run, number), branch)

    return save


def test_the_first_record_makes_the_branch_without_touching_another(fake, store, save):
    fake.repository.commit_files({"README.md": "x"}, branch=MAIN)
    assert save(store, 1) is Saved.STORED
    assert set(fake.repository.files_of("quilate-data")) == {
        "README.md",
        f"v1/orders/records/00/{sha(1)}.jsonl.gz",
        f"v1/orders/records/00/{sha(1)}.json",
        "v1/orders/history/main.json",
    }
    assert set(fake.repository.files_of(MAIN)) == {"README.md"}


def test_a_record_is_read_back_as_it_was(fake, store, save):
    save(store, 1, "ppfp")
    with RunReader.of_bytes(store.load(sha(1)), "record") as run:
        assert [line.grade.value for line in run.grade_lines()] == ["pass", "pass", "fail", "pass"]


def test_the_first_usable_record_of_a_commit_stays(store, save):
    save(store, 1, "pppp")
    assert save(store, 1, "ffff") is Saved.KEPT
    with RunReader.of_bytes(store.load(sha(1)), "record") as run:
        assert {line.grade.value for line in run.grade_lines()} == {"pass"}


def test_a_corrupt_record_of_the_same_commit_is_replaced(fake, store, save):
    save(store, 1)
    tip = fake.repository.refs["refs/heads/quilate-data"]
    files = dict(fake.repository.files_of("quilate-data"))
    files[f"v1/orders/records/00/{sha(1)}.jsonl.gz"] = b"garbage"
    fake.repository.commit_files(files, tip, branch="quilate-data")
    assert save(store, 1) is Saved.STORED
    assert store.load(sha(1))


def test_each_suite_and_branch_has_its_own(fake, api_of, make_run, save, store):
    save(store, 1)
    save(store, 2, branch="release/1.x")
    other = dataclasses.replace(store, suite="returns")
    run = make_run(sha(1), suite="returns")
    other.save(run, point(run, 1), MAIN)
    assert store.commits() == {sha(1), sha(2)}
    assert other.commits() == {sha(1)}
    assert [one.commit for one in store.history(MAIN).points] == [sha(1)]
    assert [one.commit for one in store.history("release/1.x").points] == [sha(2)]


def test_only_the_newest_records_of_a_branch_are_kept_and_the_history_stays(store, save):
    small = dataclasses.replace(store, keep=3)
    for number in range(1, 6):
        save(small, number)
    save(small, 99, branch="release")
    assert small.commits() == {sha(3), sha(4), sha(5), sha(99)}
    assert len(small.history(MAIN).points) == 5


def test_a_lost_history_does_not_take_the_records_with_it(fake, store, save):
    small = dataclasses.replace(store, keep=2)
    save(small, 1)
    save(small, 2)
    files = dict(fake.repository.files_of("quilate-data"))
    files["v1/orders/history/main.json"] = b"{ not json"
    fake.repository.commit_files(files, fake.repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    save(small, 3)
    assert small.commits() == {sha(1), sha(2), sha(3)}


def test_a_watching_run_goes_to_the_history_alone(store, save, make_run):
    save(store, 1)
    store.note(point(make_run(sha(1)), 1, run_id=77, recorded=False, verdict="fail"), MAIN)
    assert [(one.run_id, one.verdict) for one in store.history(MAIN).points] == [(1, None), (77, "fail")]
    assert store.commits() == {sha(1)}


def test_ten_writers_at_once_one_squashing_lose_nothing(fake, api_of, make_run):
    """Every record and every point is there, and the squash happened."""
    runs = {number: make_run(sha(number)) for number in range(1, 11)}
    points = {number: point(run, number) for number, run in runs.items()}
    failures = []

    def write(number):
        api = api_of(contents="write")
        squash_after = 3 if number == 1 else 1000
        store = DataBranch(GitData(api), "orders", squash_after=squash_after, random=Random(number))
        try:
            barrier.wait()
            for repeat in range(3 if number == 1 else 1):  # the squasher writes until the history is long enough
                store.save(runs[number], points[number], MAIN)
                if number == 1:
                    store.note(points[1].model_copy(update={"run_id": 100 + repeat, "recorded": False}), MAIN)
        except Exception as error:  # noqa: BLE001 - a thread's failure is told by the test
            failures.append(error)

    barrier = threading.Barrier(10)
    threads = [threading.Thread(target=write, args=(number,)) for number in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    store = DataBranch(GitData(api_of(contents="read")), "orders")
    assert store.commits() == {sha(number) for number in runs}
    for number in runs:
        assert store.load(sha(number))
    assert {one.run_id for one in store.history(MAIN).points} == {*runs, 100, 101, 102}
    assert fake.made("POST", "/graphql") >= 1
    tip = fake.repository.refs["refs/heads/quilate-data"]
    assert len(fake.repository.objects.ancestors(tip)) < 13


def test_a_writer_between_a_squashers_reading_and_its_write_loses_nothing(fake, api_of, save, store):
    """The forced update names what it replaces, so it fails and is made anew on top of the other's record."""
    for number in range(1, 4):
        save(store, number)
    squasher = DataBranch(GitData(api_of(contents="write")), "orders", squash_after=2)
    original = GitData.add_commit
    raced = []

    class Racing(GitData):
        __slots__ = ()

        def add_commit(self, tree, parent, message):
            if parent is None and not raced:
                raced.append(save(store, 50))
            return original(self, tree, parent, message)

    racing = dataclasses.replace(squasher, git=Racing(squasher.git.api))
    save(racing, 4)
    assert store.commits() == {sha(1), sha(2), sha(3), sha(4), sha(50)}
    assert len(fake.repository.objects.ancestors(fake.repository.refs["refs/heads/quilate-data"])) == 1


def test_a_write_that_took_effect_behind_a_502_is_stored_once(fake, store, save):
    save(store, 1)
    fake.fail("PATCH", "/git/refs/", 502, after=True)
    assert save(store, 2) in (Saved.STORED, Saved.KEPT)
    assert store.commits() == {sha(1), sha(2)}


def test_a_creation_of_the_branch_behind_a_502_is_no_failure(fake, store, save):
    fake.fail("POST", "/git/refs", 502, after=True)
    assert save(store, 1) in (Saved.STORED, Saved.KEPT)
    assert store.commits() == {sha(1)}


def test_a_record_that_is_too_large_is_refused_with_the_way_out(store, save):
    with pytest.raises(QuilateError, match="store_replies: false"):
        save(dataclasses.replace(store, max_record_bytes=100), 1)


def test_without_the_permission_the_message_names_it(api_of, save):
    store = DataBranch(GitData(api_of(contents="read")), "orders")
    with pytest.raises(ForbiddenError, match="permissions:\n  contents: write"):
        save(store, 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda make: make(sha(2)), "it is the run of 0000000"),
        (lambda make: make(sha(1), suite="returns"), "for suite returns"),
        (lambda make: make(sha(1), finished=False), "no footer"),
        (lambda make: make(sha(1), "pe"), "in error"),
        (lambda make: make(sha(1), "pp", total=4), "2 of the dataset's 4 cases"),
    ],
)
def test_a_record_that_is_not_what_its_path_says_is_bad(fake, store, make_run, change, said):
    import gzip

    data = gzip.compress(change(make_run).read_bytes())
    fake.repository.commit_files({f"v1/orders/records/00/{sha(1)}.jsonl.gz": data}, branch="quilate-data")
    with pytest.raises(BadRecordError, match=said):
        store.load(sha(1))


def test_a_record_whose_header_states_other_bytes_is_bad(fake, store, save):
    save(store, 1)
    save(store, 2)
    files = dict(fake.repository.files_of("quilate-data"))
    files[f"v1/orders/records/00/{sha(1)}.json"] = files[f"v1/orders/records/00/{sha(2)}.json"]
    fake.repository.commit_files(files, fake.repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    with pytest.raises(BadRecordError, match="not those its header states"):
        store.load(sha(1))


def test_points_are_plain_counts(make_run):
    made = point(make_run(sha(1), "ppfe"), 1)
    assert isinstance(made, Point)
    assert (made.approved, made.graded, made.errors, made.cases) == (2, 3, 1, 4)


def test_a_rule_against_writing_the_branch_is_told_at_once(fake, store, save):
    save(store, 1)
    fake.fail("PATCH", "/git/refs/", 422, message="Repository rule violations found", times=99)
    with pytest.raises(QuilateError, match=r"Repository rule violations found.*let the workflow's token write"):
        save(store, 2)
    assert fake.made("PATCH", "/git/refs/") == 1


def test_where_the_history_may_not_begin_anew_it_grows_on(fake, store, save):
    """A ruleset that blocks forced updates, or a server without the mutation."""
    small = dataclasses.replace(store, squash_after=1)
    save(small, 1)
    fake.fail("POST", "/graphql", 200, message="no such mutation", times=99)
    save(small, 2)
    assert small.commits() == {sha(1), sha(2)}
    assert len(fake.repository.objects.ancestors(fake.repository.refs["refs/heads/quilate-data"])) == 2
