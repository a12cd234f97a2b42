"""What schemathesis cannot know from the document.

Its own date-times mostly lack the fractional seconds that the interface demands, so nearly all of them would
be thrown away by the document's pattern. It takes 5.0 for an integer, as JSON Schema does; the interface's
amounts are written without a fraction. And it cannot know that a lawful body may still name a product that
does not exist, which is a bad request by the specification: its own check for that is replaced by one here.
"""

import datetime
import os

import schemathesis
from hypothesis import strategies as st


def written(moment: datetime.datetime, minutes_east: int, digits: int) -> str:
    sign = "-" if minutes_east < 0 else "+"
    hours, minutes = divmod(abs(minutes_east), 60)
    fraction = f"{moment.microsecond:06d}"[:digits]
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{fraction}{sign}{hours:02d}:{minutes:02d}"


DATE_TIMES = st.builds(
    written,
    st.datetimes(
        min_value=datetime.datetime(1970, 1, 1), max_value=datetime.datetime(2100, 1, 1)
    ),
    st.integers(min_value=-12 * 60, max_value=14 * 60),
    st.integers(min_value=1, max_value=6),
)

schemathesis.openapi.format("date-time", DATE_TIMES)


@schemathesis.hook
def map_body(context, body):
    return without_fractions(body)


def without_fractions(value):
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, list):
        return [without_fractions(item) for item in value]
    if isinstance(value, dict):
        return {name: without_fractions(item) for name, item in value.items()}
    return value


@schemathesis.check
def lawful_requests_are_refused_only_for_unknown_references(context, response, case):
    lawful = case.meta is not None and case.meta.generation.mode == schemathesis.GenerationMode.POSITIVE
    if lawful and response.status_code == 400:
        message = response.json()["error"]
        about_references = "is not found" in message or "is not offered for" in message
        assert about_references, f"a lawful request was refused: {message}"


@schemathesis.check
def the_right_token_is_never_refused(context, response, case):
    # Otherwise a service that refuses everything would pass every other check.
    if response.request.headers.get("X-Service-Auth-Token") == os.environ["JUDGE_TOKEN"]:
        assert response.status_code != 401, "the right token was refused"
