import { expect, test } from 'vitest'
import { looksLikePrivateKey } from './private-key'

test.each([
  ['OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA'],
  ['PKCS#1', '-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
  ['encrypted PKCS#1', '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00'],
  ['DSA', '-----BEGIN DSA PRIVATE KEY-----'],
  ['EC', '-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----'],
  ['PKCS#8', '-----BEGIN PRIVATE KEY-----'],
  ['encrypted PKCS#8', '-----BEGIN ENCRYPTED PRIVATE KEY-----'],
  ['SSH2', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"'],
  ['PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['PuTTY 2', 'PuTTY-User-Key-File-2: ssh-rsa\r\nEncryption: none\r\nPrivate-Lines: 1\r\nAAAA'],
  ['PuTTY 3', '\nPuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAA'],
  ['the lower half of a PuTTY', 'AAAA\nPrivate-Lines: 1\nAAAA'],
  ['SSH 1', 'SSH PRIVATE KEY FILE FORMAT 1.1\n'],
  ['an OpenSSH body without its BEGIN line', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU='],
  ['indented', '    -----BEGIN PRIVATE KEY-----\n    MIIE'],
  ['a key with spaces that do not break as', '-----BEGIN\u00a0OPENSSH\u00a0PRIVATE\u00a0KEY-----'],
  ['a key with zero-width spaces as', '\u200bb3BlbnNz\u200baC1rZXktdjEAAAAABG5vbmU='],
  ['an autocorrected', '—–BEGIN OPENSSH PRIVATE KEY—–'],
  ['a public key followed by a private', 'ssh-ed25519 AAAA me\n-----BEGIN OPENSSH PRIVATE KEY-----'],
])('looksLikePrivateKey recognizes %s private key', (_, text) => {
  expect(looksLikePrivateKey(text)).toBe(true)
})

test.each([
  ['nothing', ''],
  [
    'an OpenSSH public key',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGoUYuRJqvfOssEwxlHdigApucanJCwTMP0zpONcZXKX me',
  ],
  ['a comment that speaks of a private key', 'ssh-ed25519 AAAA the PRIVATE KEY is on my laptop, not PuTTY'],
  ['a PEM public key', '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----'],
  ['an RFC 4716 public key', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----'],
  ['a certificate', '-----BEGIN CERTIFICATE-----'],
])('looksLikePrivateKey does not recognize %s', (_, text) => {
  expect(looksLikePrivateKey(text)).toBe(false)
})
