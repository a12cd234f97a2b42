"""Judges recorded traffic by the OpenAPI document: what a client really sent, and what it was answered.

Usage: check_traffic.py [--every-operation] FILE...

Each FILE holds one exchange a line, as JSON: method, url, headers (pairs), body, response (status, headers,
body; null when the connection was cut), faulty (true: the answer was bent on purpose and is not judged).
Exits 1 if anything is not as the document has it, and with --every-operation also if an operation is missing.
"""

import argparse
import collections
import json
import pathlib
import sys
import urllib.parse
import uuid

import yaml
from openapi_core import OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest, MockResponse

DOCUMENT = pathlib.Path(__file__).with_name("openapi.yaml")
TOKEN = "x-service-auth-token"
KEY = "x-idempotency-key"


def operations(document):
    """Every operation as (method, path segments, operationId, whether it takes the token)."""
    found = []
    for path, item in document["paths"].items():
        for method in ("get", "put", "post", "delete", "patch"):
            if method in item:
                operation = item[method]
                takes_token = bool(operation.get("security", document["security"]))
                found.append((method.upper(), path.split("/"), operation["operationId"], takes_token))
    return found


def operation_of(known, method, path):
    """The operation a request is for; a fixed path wins over a template."""
    segments = path.split("/")
    matches = [
        (sum(part.startswith("{") for part in template), name, takes_token)
        for verb, template, name, takes_token in known
        if verb == method
        and len(template) == len(segments)
        and all(part.startswith("{") or part == segment for part, segment in zip(template, segments))
    ]
    if not matches:
        return None, False
    _, name, takes_token = min(matches)
    return name, takes_token


def header_faults(headers, required, name, takes_token):
    """Rules on headers, which OpenAPI has no place for."""
    for header, value in required.items():
        sent = headers.get(header.lower())
        if sent is None:
            yield f"{header} is missing"
        elif sent.split(";")[0].strip().lower() != value:
            yield f"{header} is {sent!r}"
    if takes_token and TOKEN not in headers:
        yield "the token is missing"
    if not takes_token and TOKEN in headers:
        yield "the token was sent where none is listed"
    if name == "bulkCreateContracts":
        key = headers.get(KEY, "")
        try:
            if uuid.UUID(key).version != 4:
                yield f"the idempotency key {key!r} is no v4 UUID"
        except ValueError:
            yield f"the idempotency key {key!r} is no UUID"
    elif KEY in headers:
        yield "an idempotency key was sent where none is listed"


def judged(openapi, known, required, exchange):
    """The operation of an exchange, and everything wrong with it."""
    url = urllib.parse.urlsplit(exchange["url"])
    headers = {name.lower(): value for name, value in exchange["headers"]}
    name, takes_token = operation_of(known, exchange["method"], url.path)
    if name is None:
        return None, [f"{exchange['method']} {url.path} is no operation of the interface"]
    faults = list(header_faults(headers, required, name, takes_token))
    request = MockRequest(
        "http://service",
        exchange["method"].lower(),
        urllib.parse.unquote(url.path),
        args=dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True)),
        headers=headers,
        data=exchange["body"].encode() or None,
        content_type="application/json",
    )
    try:
        openapi.validate_request(request)
    except OpenAPIError as error:
        faults.append(f"request: {told(error)}")
    answer = exchange["response"]
    if answer is not None and not exchange["faulty"]:
        response_headers = dict(answer["headers"])
        response = MockResponse(
            answer["body"].encode(),
            status_code=answer["status"],
            headers=response_headers,
            content_type=response_headers.get("content-type", ""),
        )
        try:
            openapi.validate_response(request, response)
        except OpenAPIError as error:
            faults.append(f"response {answer['status']}: {told(error)}")
    return name, faults


def told(error):
    """An error with its causes, since the outermost one only says that something is wrong."""
    parts = []
    cause = error
    while cause is not None:
        parts.append(str(cause))
        details = getattr(cause, "schema_errors", None) or []
        parts.extend(f"{'/'.join(map(str, detail.path))}: {detail.message}" for detail in details)
        cause = cause.__cause__
    return "; ".join(dict.fromkeys(parts))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=pathlib.Path)
    arguments.add_argument("--every-operation", action="store_true")
    arguments = arguments.parse_args()

    document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    openapi = OpenAPI.from_dict(document)
    known = operations(document)
    required = document["info"]["x-required-headers"]
    counts = collections.Counter()
    wrong = 0
    for file in arguments.files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            name, faults = judged(openapi, known, required, json.loads(line))
            counts[name] += 1
            for fault in faults:
                wrong += 1
                print(f"{file}:{number}: {name}: {fault}", file=sys.stderr)
    for _, _, name, _ in known:
        print(f"{name}: {counts[name]}")
        if arguments.every_operation and counts[name] == 0:
            wrong += 1
            print(f"{name} does not occur in the traffic", file=sys.stderr)
    print(f"{sum(counts.values())} exchanges judged, {wrong} faults")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
