"""Tokens that AWS's own signer makes: signed_tokens.py COUNT SEED

Prints a line of JSON for each, with the time in milliseconds, the region, the credentials and the
token.
"""

import datetime
import json
import random
import string
import sys

import botocore.auth
from aws_msk_iam_sasl_signer import MSKAuthTokenProvider
from botocore.credentials import CredentialProvider, Credentials

REGIONS = ["eu-west-1", "us-east-1", "us-gov-west-1", "ap-southeast-2", "cn-north-1", "eusc-de-east-1"]
SECRET = string.ascii_letters + string.digits + "+/="

count, seed = int(sys.argv[1]), int(sys.argv[2])
source = random.Random(seed)


def text(characters, least, most):
    return "".join(source.choices(characters, k=source.randint(least, most)))


class Fixed(CredentialProvider):
    def __init__(self, credentials):
        self.credentials = credentials

    def load(self):
        return self.credentials


for _ in range(count):
    seconds = source.randint(978_307_200, 4_102_444_800)
    now = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda now=now: now
    key = text(string.ascii_uppercase + string.digits, 16, 20)
    secret = text(SECRET, 1, 80)
    session = text(SECRET + "-_.~", 1, 1200) if source.random() < 0.7 else None
    region = source.choice(REGIONS)
    token, expires = MSKAuthTokenProvider.generate_auth_token_from_credentials_provider(
        region, Fixed(Credentials(key, secret, session)))
    assert expires == (seconds + 900) * 1000
    print(json.dumps({
        "now": seconds * 1000 + source.randint(0, 999), "region": region, "key": key,
        "secret": secret, "session": session, "token": token}))
