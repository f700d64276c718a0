import pytest
from tests.factories import a_case, a_grade_line, a_run_file

from quilate.errors import QuilateError, UsageError
from quilate.grades import Grade
from quilate.runs.reader import RunReader
from quilate.runs.store import DirectoryStore

PASS, ERROR = Grade.PASS, Grade.ERROR
COMMITS = [f"{n:07x}" for n in range(0xA0, 0xB0)]


@pytest.fixture
def store(tmp_path):
    return DirectoryStore(tmp_path / "store", "orders")


@pytest.fixture
def a_run(tmp_path):
    made = iter(range(100))

    def make(*grades, **header):
        graded = [a_grade_line(a_case(f"c{at}"), grade) for at, grade in enumerate(grades or (PASS,))]
        return a_run_file(tmp_path / f"run-{next(made)}.jsonl", graded, **header)

    return make


def test_what_is_saved_is_loaded(store, a_run):
    run = a_run(PASS, commit=COMMITS[0])
    assert store.save(run, COMMITS[0])
    with RunReader(store.load(COMMITS[0])) as stored, RunReader(run) as own:
        assert stored.header == own.header
        assert list(stored.cases()) == list(own.cases())


def test_the_nearest_usable_record_is_found_with_its_distance(store, a_run):
    store.save(a_run(), COMMITS[3])
    store.save(a_run(), COMMITS[5])
    found = store.nearest(COMMITS)
    assert (found.commit, found.distance, found.skipped) == (COMMITS[3], 3, ())


def test_a_corrupt_record_is_skipped_with_its_reason(store, a_run):
    store.save(a_run(), COMMITS[1])
    store.save(a_run(), COMMITS[2])
    store.load(COMMITS[1]).write_bytes(b"\x1f\x8bnonsense")
    found = store.nearest(COMMITS)
    assert (found.commit, found.distance) == (COMMITS[2], 2)
    assert [(one.commit, one.distance) for one in found.skipped] == [(COMMITS[1], 1)]
    assert "gzip" in found.skipped[0].why


def test_a_record_of_another_commit_under_this_name_is_skipped(store, a_run):
    store.save(a_run(commit=COMMITS[2]), COMMITS[2])
    store.load(COMMITS[2]).rename(store.directory / f"{COMMITS[1]}.jsonl.gz")
    assert store.nearest(COMMITS) is None


def test_nothing_is_found_where_nothing_is(store):
    assert store.nearest(COMMITS) is None
    assert store.newest() is None
    assert store.list() == ()
    assert store.history() == ()


@pytest.mark.parametrize(
    ("grades", "header", "why"),
    [
        ((ERROR, ERROR, PASS, PASS), {}, "2 of the run's 4 cases are in error"),
        ((PASS,), {"complete": False}, "incomplete"),
        ((PASS,), {"cases": 9}, "1 of the dataset's 9 cases"),
        ((PASS,), {"selection": "tag x"}, "tag x"),
    ],
)
def test_an_unusable_run_is_not_stored(store, a_run, grades, header, why):
    with pytest.raises(QuilateError, match=why):
        store.save(a_run(*grades, **header), COMMITS[0])
    assert store.list() == ()


def test_a_run_in_which_every_case_crashed_never_becomes_the_measure(store, tmp_path):
    crashed = {"criterion": "answered", "criterion_fields": {"necessary": True}}
    run = a_run_file(
        tmp_path / "crashed.jsonl", [a_grade_line(a_case(f"c{at}"), Grade.FAIL, **crashed) for at in range(3)]
    )
    with pytest.raises(QuilateError, match="none of its 3 cases was answered"):
        store.save(run, COMMITS[0])
    assert store.list() == ()


def test_one_answered_case_makes_a_run_a_measure(store, tmp_path):
    crashed = {"criterion": "answered", "criterion_fields": {"necessary": True}}
    lines = [a_grade_line(a_case("c0"), Grade.FAIL), a_grade_line(a_case("c1"), Grade.FAIL, **crashed)]
    assert store.save(a_run_file(tmp_path / "half.jsonl", lines), COMMITS[0])


def test_the_first_usable_record_of_a_commit_stays(store, a_run):
    store.save(a_run(PASS), COMMITS[0])
    before = store.load(COMMITS[0]).read_bytes()
    assert not store.save(a_run(PASS, PASS), COMMITS[0])
    assert store.load(COMMITS[0]).read_bytes() == before


def test_a_corrupt_record_gives_way(store, a_run):
    store.save(a_run(PASS), COMMITS[0])
    store.load(COMMITS[0]).write_bytes(b"")
    assert store.save(a_run(PASS), COMMITS[0])
    assert store.nearest(COMMITS[:1]).commit == COMMITS[0]


def test_a_run_without_a_commit_is_the_local_record_and_the_newest_takes_its_place(store, a_run):
    store.save(a_run(PASS))
    store.save(a_run(PASS, PASS))
    found = store.newest()
    assert (found.commit, store.list()) == ("local", ("local",))
    with RunReader(found.path) as run:
        assert len(run.index) == 2


def test_newest_first(store, a_run):
    for commit in (COMMITS[4], COMMITS[1], COMMITS[9]):
        store.save(a_run(), commit)
    assert store.list() == (COMMITS[9], COMMITS[1], COMMITS[4])
    assert store.newest().commit == COMMITS[9]


def test_only_the_newest_records_are_kept_and_the_history_whole(tmp_path, a_run):
    store = DirectoryStore(tmp_path / "store", "orders", keep=2)
    for commit in COMMITS[:4]:
        store.save(a_run(), commit)
    assert store.list() == (COMMITS[3], COMMITS[2])
    assert [point.commit for point in store.history()] == COMMITS[:4]


def test_the_history_counts(store, a_run):
    store.save(a_run(PASS, Grade.FAIL, Grade.PARTIAL, Grade.NOT_JUDGED, version="2026-06"), COMMITS[0])
    (point,) = store.history()
    assert (point.cases, point.approved, point.graded, point.errors, point.not_judged) == (4, 1, 3, 0, 1)
    assert point.dataset_version == "2026-06"


def test_a_damaged_history_loses_no_record(store, a_run):
    store.save(a_run(), COMMITS[0])
    (store.directory / "history.jsonl").write_bytes(b'\xff{"record": [1]}\n{}\nnull\n')
    assert store.list() == (COMMITS[0],)


@pytest.mark.parametrize("commit", ["../../x", "", "HEAD", "ABCDEF0", "a" * 65, "local/../x"])
def test_what_is_no_commit_names_no_file(store, a_run, commit):
    with pytest.raises(UsageError):
        store.load(commit)


@pytest.mark.parametrize("suite", ["../x", "", "A", "a--b", "a/b"])
def test_what_is_no_suite_names_no_folder(tmp_path, suite):
    with pytest.raises(UsageError):
        DirectoryStore(tmp_path, suite)


def test_another_suites_run_is_refused(store, a_run):
    with pytest.raises(UsageError, match="suite 'shop'"):
        store.save(a_run(suite="shop"), COMMITS[0])


def test_no_half_written_file_is_left(store, a_run):
    store.save(a_run(), COMMITS[0])
    assert sorted(path.name for path in store.directory.iterdir()) == [
        ".lock",
        f"{COMMITS[0]}.jsonl.gz",
        "history.jsonl",
    ]
