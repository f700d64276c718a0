"""Which commit is compared with, and which record stands for it."""

from __future__ import annotations

import pytest

from quilate.github import lookup
from quilate.github.branch_store import BranchStore
from quilate.github.data_branch import DataBranch
from quilate.github.errors import ForbiddenError
from quilate.github.event import Compare, Pull, Queue, Watch
from quilate.github.git_data import GitData
from quilate.github.history import Origin
from quilate.github.lookup import Base, Lookup, Rule


@pytest.fixture
def repository(fake):
    return fake.repository


@pytest.fixture
def main(repository):
    """Six commits of main, oldest first."""
    commits = []
    for number in range(6):
        commits.append(repository.commit_files({"n": str(number)}, *commits[-1:], branch="main"))
    return commits


@pytest.fixture
def api(api_of):
    return api_of(contents="read", pull_requests="write")


@pytest.fixture
def store(api_of, tmp_path):
    return BranchStore(
        DataBranch(GitData(api_of(contents="write")), "orders"), tmp_path / "base", Origin("main", "push", 1)
    )


@pytest.fixture
def record(store, make_run):
    def record(commit, grades="pppp"):
        assert store.save(make_run(commit, grades))

    return record


def compare(head, tested):
    pull = Pull(
        number=1, head_sha=head, head_ref="topic", head_repository="octo/shop", base_ref="main", untrusted=False
    )
    return Compare(pull, tested, new_head=False)


def test_a_tested_merge_stands_on_its_first_parent(repository, main, api):
    head = repository.commit_files({"h": "1"}, main[1])
    merge = repository.commit_files({"h": "1"}, main[5], head)
    assert lookup.base_of(api, compare(head, merge)) == Base(main[5], Rule.PARENT)


def test_a_tested_head_stands_on_the_merge_base(repository, main, api):
    head = repository.commit_files({"h": "1"}, main[1])
    assert lookup.base_of(api, compare(head, head)) == Base(main[1], Rule.MERGE_BASE)


def test_a_tested_commit_that_is_a_merge_of_something_else_stands_on_the_merge_base(repository, main, api):
    side = repository.commit_files({"s": "1"}, main[2])
    own_merge = repository.commit_files({"s": "2"}, main[3], side)
    head = repository.commit_files({"s": "3"}, own_merge)
    assert lookup.base_of(api, compare(head, own_merge)) == Base(main[3], Rule.MERGE_BASE)


def test_a_merge_queue_names_its_base(main, api):
    assert lookup.base_of(api, Queue("c" * 40, main[4], "main", 1)) == Base(main[4], Rule.MERGE_GROUP)


def test_the_bases_own_record_is_at_distance_0(main, api, store, record):
    record(main[5])
    found = lookup.nearest(api, store, Base(main[5], Rule.PARENT)).found
    assert (found.commit, found.distance, found.skipped) == (main[5], 0, ())


def test_one_without_a_record_and_one_with_a_corrupt_one_are_walked_past(repository, main, api, store, record):
    """Base: no record; before it: a corrupt one; before that: the right one, three back from a fourth."""
    record(main[2])
    record(main[3])
    record(main[4])
    files = dict(repository.files_of("quilate-data"))
    corrupt = f"v1/orders/records/{main[4][:2]}/{main[4]}.jsonl.gz"
    files[corrupt] = files[corrupt][:-40]
    repository.commit_files(files, repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    found = lookup.nearest(api, store, Base(main[5], Rule.PARENT)).found
    assert (found.commit, found.distance) == (main[3], 2)
    assert [passed.commit for passed in found.skipped] == [main[4]]
    assert "not those its header states" in found.skipped[0].why


def test_an_outage_at_the_tip_is_walked_past(repository, main, api, store, record, make_run):
    """40 % errors never measure, even where such a record came to stand on the branch."""
    import gzip

    record(main[4])
    files = dict(repository.files_of("quilate-data"))
    files[f"v1/orders/records/{main[5][:2]}/{main[5]}.jsonl.gz"] = gzip.compress(
        make_run(main[5], "pppeepppee").read_bytes()
    )
    repository.commit_files(files, repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    found = lookup.nearest(api, store, Base(main[5], Rule.PARENT)).found
    assert (found.commit, found.distance) == (main[4], 1)
    assert "4 of the run's 10 cases are in error" in found.skipped[0].why


def test_a_newer_record_that_is_no_ancestor_is_never_taken(repository, main, api, store, record):
    record(main[5])
    missing = lookup.nearest(api, store, Base(main[3], Rule.MERGE_BASE))
    assert missing == Lookup(Base(main[3], Rule.MERGE_BASE), None, looked_at=4)


def test_a_merged_branchs_own_commits_are_not_the_bases_line(repository, main, api, store, record):
    side = repository.commit_files({"s": "1"}, main[1])
    record(side)
    merge = repository.commit_files({"m": "1"}, main[5], side, branch="main")
    assert lookup.nearest(api, store, Base(merge, Rule.PARENT)).found is None


def test_no_branch_means_nothing_looked_at(main, api, store):
    assert lookup.nearest(api, store, Base(main[5], Rule.PARENT)) == Lookup(Base(main[5], Rule.PARENT), None, 0)


def test_a_record_too_far_back_measures_nothing(repository, main, api, store, record):
    record(main[0])
    missing = lookup.nearest(api, store, Base(main[5], Rule.PARENT), furthest=3)
    assert missing.looked_at == 4


def test_more_than_a_page_of_history_is_walked(repository, api, store, record):
    commits = [repository.commit_files({"n": "0"})]
    record(commits[0])
    for number in range(1, 130):
        commits.append(repository.commit_files({"n": str(number)}, commits[-1], branch="main"))
    found = lookup.nearest(api, store, Base(commits[-1], Rule.PARENT), furthest=200).found
    assert found.distance == 129


def test_a_watching_run_takes_the_commits_own_record_first(main, api, store, record):
    record(main[4])
    record(main[5])
    base = lookup.base_of(api, Watch(main[5], "main", history=True))
    found = lookup.nearest(api, store, base).found
    assert (found.commit, found.distance) == (main[5], 0)


def test_reading_needs_contents_read(api_of, main):
    with pytest.raises(ForbiddenError, match="contents: read"):
        list(api_of(pull_requests="write").history(main[5]))


def test_records_that_cannot_be_used_are_told_from_none(repository, main, api, store, record):
    record(main[4])
    files = dict(repository.files_of("quilate-data"))
    files[f"v1/orders/records/{main[4][:2]}/{main[4]}.jsonl.gz"] = b"garbage"
    repository.commit_files(files, repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    assert lookup.nearest(api, store, Base(main[5], Rule.PARENT)).unusable
