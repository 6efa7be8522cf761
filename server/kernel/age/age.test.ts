import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, isRecipient, type Lock, newIdentity, recipientOf, type Unlock } from '.'

const kib = 1024
const sizes = [0, 1, 64 * kib - 1, 64 * kib, 64 * kib + 1, 200 * kib]

const encrypted = (bytes: Buffer, lock: Lock) => buffer(encrypt(Readable.from([bytes]), lock))
const decrypted = (bytes: Buffer, unlock: Unlock) => buffer(decrypt(Readable.from([bytes]), unlock))

describe('encryption in the format of age', () => {
  it('can be read by the reference implementation, and reads what that wrote', async () => {
    const identity = newIdentity()
    const recipient = await identityToRecipient(identity)
    expect(recipientOf(identity)).toBe(recipient)
    const theirs = await generateIdentity()
    expect(isRecipient(recipientOf(theirs))).toBe(true)
    const reader = new Decrypter()
    reader.addIdentity(identity)
    const writer = new Encrypter()
    writer.addRecipient(recipient)
    for (const size of sizes) {
      const bytes = randomBytes(size)
      expect(bytes.equals(await reader.decrypt(await encrypted(bytes, { recipient })))).toBe(true)
      expect(bytes.equals(await decrypted(Buffer.from(await writer.encrypt(bytes)), { identity }))).toBe(true)
    }
  })

  it('with a passphrase has a work factor of 17, reads what the reference implementation wrote, and refuses another passphrase', async () => {
    const theirs = Buffer.from(
      'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBqT1lZSHdWaVFXWFdQMFNZMjU4WjRBIDEwCm1OdXd5dzVjRWZyWTV2R1FRRGdvS0ZJZTJFc3pSUFNrNU5Kamk5NURlOFUKLS0tIE5kV3FrNStPTjZ5ZThxc1haTU9aWlBOSTYrNm1ka29HVXFvZTVJR2twRUEKj42xwH84sPsPqQTAsRr+4DUffYWTqd8LUw8Nw331rys5qE5MM71f',
      'base64',
    )
    const own = await encrypted(Buffer.from('battery'), { passphrase: 'correct horse' })
    expect(own.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/)
    for (const sealed of [theirs, own]) {
      expect((await decrypted(sealed, { passphrase: 'correct horse' })).toString()).toBe('battery')
    }
    await expect(decrypted(theirs, { passphrase: 'wrong' })).rejects.toThrow('the passphrase is wrong')
  })

  it('detects every flipped byte, every truncation, and another key', async () => {
    const identity = newIdentity()
    const sealed = await encrypted(randomBytes(130 * kib), { recipient: recipientOf(identity) })
    for (let at = 0; at < sealed.length; at += at < 400 ? 7 : 9973) {
      const flipped = Buffer.from(sealed)
      flipped[at]! ^= 1
      await expect(decrypted(flipped, { identity })).rejects.toThrow()
      await expect(decrypted(sealed.subarray(0, at), { identity })).rejects.toThrow()
    }
    await expect(decrypted(sealed, { identity: newIdentity() })).rejects.toThrow('for another key')
  })

  it('accepts only public keys of its kind', () => {
    const recipient = recipientOf(newIdentity())
    expect(isRecipient(recipient)).toBe(true)
    expect(isRecipient(recipient.replace(/.$/, last => (last === 'q' ? 'p' : 'q')))).toBe(false)
    expect(isRecipient('age1')).toBe(false)
    expect(isRecipient(newIdentity())).toBe(false)
  })
})
