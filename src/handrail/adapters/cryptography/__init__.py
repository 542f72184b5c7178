"""AES-256-GCM for sessions at rest, and the file that holds its key."""

from handrail.adapters.cryptography.aes_gcm import AesGcmCipher, new_key
from handrail.adapters.cryptography.key_file import load_or_create_key

__all__ = ["AesGcmCipher", "load_or_create_key", "new_key"]
