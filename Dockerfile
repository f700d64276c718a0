# The Action's image: quilate and its locked dependencies, no compiler, no cache, no git.
# The base is named by tag here; a release resolves it to a digest and passes that as BASE.
ARG BASE=python:3.12-slim

FROM ${BASE} AS dependencies
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements/run.txt requirements/
# Without what nothing here reads: packages' own tests, type stubs and sources. Babel's CLDR stays whole: locale packs
# may be a repository's own. The last line lets Python find the package, which has a layer of its own.
RUN python -m venv --without-pip /opt/quilate \
 && packages="$(/opt/quilate/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
 && pip --python /opt/quilate/bin/python install --quiet --no-compile --no-deps --require-hashes --only-binary :all: \
      --requirement requirements/run.txt \
 && find "$packages" -type d \( -name tests -o -name test \) -prune -exec rm -rf {} + \
 && find "$packages" -type f \( -name '*.pyi' -o -name '*.pyx' -o -name '*.c' -o -name '*.h' \) -delete \
 && python -m compileall -q /opt/quilate/lib \
 && echo /opt/quilate/package >"$packages/quilate.pth"

FROM ${BASE} AS package
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements/build.txt requirements/
RUN pip install --quiet --no-deps --require-hashes --only-binary :all: --requirement requirements/build.txt
COPY LICENSE README.md pyproject.toml ./
COPY goldens goldens
COPY src src
RUN pip install --quiet --no-compile --no-deps --no-build-isolation --target /opt/quilate/package . \
 && python -m compileall -q /opt/quilate/package

FROM ${BASE}
LABEL org.opencontainers.image.title="quilate" \
      org.opencontainers.image.description="Golden cases, honest comparison, one comment and one gate for AI agents" \
      org.opencontainers.image.licenses="Apache-2.0"
# The agent's user. It owns its home and nothing else, and finds no program that would lend it another user's rights.
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin agent \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} +
COPY --from=dependencies /opt/quilate /opt/quilate
COPY --from=package /opt/quilate/package /opt/quilate/package
# The example, run once: proof that the image works, and bytecode of just those standard modules that a run imports
# (the base comes without any, and compiling them would be part of every start).
RUN /opt/quilate/bin/python -I -m quilate demo >/dev/null \
 && /opt/quilate/bin/python -I -c 'import quilate.github.entry, quilate.github.fork, venv, ensurepip'
ENV QUILATE_AGENT_USER=agent
# GitHub mounts the workspace and the command files for root. -I: neither the workspace nor a variable is searched for
# modules, since a pull request's own json.py would otherwise run here, with the token.
ENTRYPOINT ["/opt/quilate/bin/python", "-I", "-m", "quilate"]
CMD ["action"]
