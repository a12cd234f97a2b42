"""Says of each CycloneDX bill named as an argument how many components it lists; fails on an empty one."""

import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        bill = json.load(file)
    count = len(bill.get("components", []))
    if bill.get("bomFormat") != "CycloneDX" or count == 0:
        sys.exit(f"{path}: no bill of materials")
    print(f"{path}: {bill['metadata']['component']['name']}, {count} components")
