import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { series } from '@/testing/series'
import { newObjectKey } from '../key'
import type { ObjectStorage, Part } from '../types'

const uses = series(2_000, 50_000)

/** An object storage for tests. */
export interface Backend {
  storage: ObjectStorage
  /** Returns the names of everything in the storage, complete or not. */
  listAll(): Promise<string[]>
  close(): Promise<void>
}

const mib = 1024 * 1024

interface About {
  /** Size in bytes of every part except the last. */
  partBytes: number
  /** Bugs of the test server that other servers do not have. */
  mistakes?: 'first byte alone'
  /** Defines additional tests for this kind of storage. */
  more?: (backend: Backend) => void
}

/** Defines tests for the guarantees that every kind of storage must give. */
export function describeStorage(
  name: string,
  open: () => Promise<Backend>,
  { partBytes, mistakes, more }: About,
): void {
  describe(`storage: ${name}`, () => {
    const backend = {} as Backend
    beforeAll(async () => void Object.assign(backend, await open()))
    afterAll(() => backend.close?.())

    const put = async (...chunks: Uint8Array[]): Promise<string> => {
      const key = newObjectKey()
      await backend.storage.put(key, from(...chunks))
      return key
    }
    const read = async (key: string, range?: { start: number; end: number }) =>
      bytesOf(await backend.storage.get(key, range))

    it('returns what was put, with its length and digest', async () => {
      const chunks = [randomBytes(3 * mib), randomBytes(1), randomBytes(70_000)]
      const key = newObjectKey()
      const stored = await backend.storage.put(key, from(...chunks))
      const bytes = Buffer.concat(chunks)
      expect(stored).toEqual({ size: bytes.length, sha256: digest(bytes) })
      expect(await backend.storage.size(key)).toBe(bytes.length)
      expect((await read(key)).equals(bytes)).toBe(true)
    })

    more?.(backend)

    it('joins many tiny chunks', async () => {
      const bytes = randomBytes(5000)
      const key = await put(...Array.from(bytes, byte => Uint8Array.of(byte)))
      expect((await read(key)).equals(bytes)).toBe(true)
    })

    it('lists the objects with their lengths, and not the parts of unfinished ones', async () => {
      const keys = [await put(randomBytes(3)), await put()]
      const unfinished = newObjectKey()
      await backend.storage.putPart(unfinished, 0, from(randomBytes(10)))
      const listed = new Map<string, number | undefined>()
      for await (const { key, size } of backend.storage.list()) listed.set(key, size)
      expect(keys.map(key => listed.get(key))).toEqual([3, 0])
      expect(listed.has(unfinished)).toBe(false)
      await backend.storage.delete(unfinished)
    })

    it('stores an empty object', async () => {
      const key = await put()
      expect(await backend.storage.size(key)).toBe(0)
      expect(await read(key)).toEqual(Buffer.alloc(0))
    })

    it.skipIf(mistakes === 'first byte alone')('returns only the first byte', async () => {
      const key = await put(Buffer.from('bytes'))
      expect((await read(key, { start: 0, end: 0 })).toString()).toBe('b')
    })

    it.each([
      [0, 999],
      [999, 999],
      [1, 998],
      [500, 5000],
    ])('returns the bytes from %i to %i of a thousand', async (start, end) => {
      const bytes = randomBytes(1000)
      const key = await put(bytes)
      expect(await read(key, { start, end })).toEqual(bytes.subarray(start, end + 1))
    })

    it('reports a key that was never put as missing', async () => {
      const key = newObjectKey()
      expect(await backend.storage.size(key)).toBeUndefined()
      await expect(backend.storage.get(key)).rejects.toMatchObject({ kind: 'notFound' })
      await expect(backend.storage.delete(key)).resolves.toBeUndefined()
    })

    it('rejects invalid keys', async () => {
      await expect(async () => backend.storage.put('../outside', from())).rejects.toThrow('not an object key')
      await expect(async () => backend.storage.get('../outside')).rejects.toThrow('not an object key')
    })

    it('makes no object visible before it is complete', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(9 * mib)
      let seen: unknown = 'nothing yet'
      const stored = await backend.storage.put(
        key,
        (async function* () {
          yield bytes
          seen = await backend.storage.size(key)
          await expect(backend.storage.get(key)).rejects.toMatchObject({ kind: 'notFound' })
          yield bytes
        })(),
      )
      expect(seen).toBeUndefined()
      expect(stored.size).toBe(18 * mib)
    })

    describe('leaves nothing behind', () => {
      const large = randomBytes(9 * mib)

      it('if the source fails, and rethrows its error', async () => {
        const before = await backend.listAll()
        const key = newObjectKey()
        const failing = backend.storage.put(key, thenFails(large))
        await expect(failing).rejects.toThrow('cut off')
        expect(await backend.storage.size(key)).toBeUndefined()
        expect(await backend.listAll()).toEqual(before)
      })

      it('if the source exceeds the limit', async () => {
        const before = await backend.listAll()
        const key = newObjectKey()
        const options = { limitBytes: large.length, tooLargeMessage: 'too much' }
        const exceeding = backend.storage.put(key, from(large, Buffer.alloc(1)), options)
        await expect(exceeding).rejects.toMatchObject({ kind: 'tooLarge', message: 'too much' })
        expect(await backend.listAll()).toEqual(before)
        expect(await backend.storage.put(key, from(large), options)).toMatchObject({ size: large.length })
      })

      it('when it is aborted, even if the source never ends', async () => {
        const before = await backend.listAll()
        const key = newObjectKey()
        const aborting = new AbortController()
        const endless = (async function* () {
          yield large
          setTimeout(() => aborting.abort(new Error('no longer needed')), 50)
          await new Promise(() => undefined)
        })()
        const aborted = backend.storage.put(key, endless, { signal: aborting.signal })
        await expect(aborted).rejects.toThrow('no longer needed')
        expect(await backend.listAll()).toEqual(before)
      })

      it('when it was aborted before it started', async () => {
        const before = await backend.listAll()
        const signal = AbortSignal.abort(new Error('no longer needed'))
        const aborted = backend.storage.put(newObjectKey(), from(large), { signal })
        await expect(aborted).rejects.toThrow('no longer needed')
        expect(await backend.listAll()).toEqual(before)
      })

      it('after an object with unfinished parts is deleted', async () => {
        const before = await backend.listAll()
        const key = await put(large)
        await backend.storage.putPart(key, 0, from(large))
        await backend.storage.delete(key)
        await backend.storage.delete(key)
        await expect(backend.storage.get(key)).rejects.toMatchObject({ kind: 'notFound' })
        expect(await backend.storage.size(key)).toBeUndefined()
        expect(await backend.listAll()).toEqual(before)
      })
    })

    it('stores 50 objects concurrently', async () => {
      const all = Array.from({ length: 50 }, () => ({ key: newObjectKey(), bytes: randomBytes(300_000) }))
      await Promise.all(
        all.map(async ({ key, bytes }) => {
          const stored = await backend.storage.put(
            key,
            from(bytes.subarray(0, 99_999), bytes.subarray(99_999)),
          )
          expect(stored.sha256).toEqual(digest(bytes))
        }),
      )
      await Promise.all(
        all.map(async ({ key, bytes }) => expect(digest(await read(key))).toEqual(digest(bytes))),
      )
    })

    describe('composing parts', () => {
      it('creates one object, which is invisible before', async () => {
        const key = newObjectKey()
        const parts = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(1000)]
        for (const [part, bytes] of parts.entries()) {
          const stored = await backend.storage.putPart(key, part, from(bytes))
          expect(stored).toBe(bytes.length)
          expect(await backend.storage.size(key)).toBeUndefined()
        }
        await backend.storage.compose(key, firstParts(parts.length))
        const bytes = Buffer.concat(parts)
        expect(await backend.storage.size(key)).toBe(bytes.length)
        expect((await read(key)).equals(bytes)).toBe(true)
        for (const [start, end] of [
          [partBytes - 1, partBytes],
          [partBytes, partBytes],
          [5, 2 * partBytes + 5],
          [2 * partBytes, bytes.length - 1],
          [bytes.length - 1, bytes.length + 99],
        ] as const) {
          const slice = await read(key, { start, end })
          expect(slice.equals(bytes.subarray(start, end + 1)), `${start} to ${end}`).toBe(true)
        }
        await backend.storage.delete(key)
        expect(await backend.storage.size(key)).toBeUndefined()
      })

      it('accepts parts of any length, including zero', async () => {
        const key = newObjectKey()
        const lengths = [0, 7, 0, 70_000, 1, 0]
        const parts = lengths.map(length => randomBytes(length))
        for (const [part, bytes] of parts.entries()) await backend.storage.putPart(key, part, from(bytes))
        await backend.storage.compose(key, firstParts(parts.length))
        expect((await read(key)).equals(Buffer.concat(parts))).toBe(true)
      })

      it('creates an empty object from empty parts', async () => {
        const key = newObjectKey()
        await backend.storage.putPart(key, 0, from())
        await backend.storage.compose(key, firstParts(1))
        expect(await backend.storage.size(key)).toBe(0)
        expect(await read(key)).toEqual(Buffer.alloc(0))
      })

      it('orders more than ten parts by number', async () => {
        const key = newObjectKey()
        const numbers = Array.from({ length: 12 }, (_, number) => number)
        for (const number of numbers.toReversed()) {
          await backend.storage.putPart(key, number, from(Buffer.from(`${number},`)))
        }
        await backend.storage.compose(key, firstParts(12))
        expect((await read(key)).toString()).toBe(`${numbers.join()},`)
      })

      it('uses the latest version of each part and ignores extra parts', async () => {
        const key = newObjectKey()
        await backend.storage.putPart(key, 0, from(Buffer.from('first, longer')))
        await backend.storage.putPart(key, 0, from(Buffer.from('second')))
        await backend.storage.putPart(key, 1, from(Buffer.from('beyond')))
        await backend.storage.compose(key, firstParts(1))
        expect((await read(key)).toString()).toBe('second')
        await backend.storage.delete(key)
        expect((await backend.listAll()).filter(name => name.includes(key))).toEqual([])
      })

      describe('in any order', () => {
        const bytesOfPart = (part: number) => Buffer.alloc(part === 7 ? partBytes : 100, `${part}`)
        /** Puts new parts with these numbers. */
        async function putNew(key: string, ...numbers: number[]): Promise<Part[]> {
          return await Promise.all(
            numbers.map(async part => {
              const size = await backend.storage.putPart(key, part, from(bytesOfPart(part)), { isNew: true })
              return { part, size }
            }),
          )
        }
        const partsOf = (...numbers: number[]) =>
          numbers.map(part => ({ part, size: bytesOfPart(part).length }))

        it('uses parts repeatedly, skips numbers, and deletes the unused parts', async () => {
          const key = newObjectKey()
          await putNew(key, 2, 7, 3, 0)
          const order = [7, 3, 0, 3, 3, 7]
          await backend.storage.compose(key, partsOf(...order))
          const bytes = Buffer.concat(order.map(bytesOfPart))
          expect(await backend.storage.size(key)).toBe(bytes.length)
          expect((await read(key)).equals(bytes)).toBe(true)
          const [start, end] = [partBytes + 50, partBytes + 249]
          expect((await read(key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true)
          await backend.storage.delete(key)
          expect((await backend.listAll()).filter(name => name.includes(key))).toEqual([])
        })

        it('can be repeated without effect', async () => {
          const key = newObjectKey()
          const parts = await putNew(key, 5, 1)
          for (let times = 0; times < 3; times++) await backend.storage.compose(key, parts)
          expect((await read(key)).equals(Buffer.concat([5, 1].map(bytesOfPart)))).toBe(true)
        })

        it('creates an empty object from no parts, even if some exist', async () => {
          for (const numbers of [[], [1]]) {
            const key = newObjectKey()
            await putNew(key, ...numbers)
            await backend.storage.compose(key, [])
            expect(await backend.storage.size(key)).toBe(0)
            expect(await read(key)).toEqual(Buffer.alloc(0))
          }
        })

        it('fails if a part is missing, and succeeds afterward with existing parts', async () => {
          const key = newObjectKey()
          await putNew(key, 0)
          const composing = backend.storage.compose(key, partsOf(0, 1))
          await expect(composing).rejects.toMatchObject({ kind: 'notFound' })
          expect(await backend.storage.size(key)).toBeUndefined()
          await backend.storage.compose(key, partsOf(0))
          expect((await read(key)).equals(bytesOfPart(0))).toBe(true)
        })

        it(`uses one part ${uses} times`, { tags: 'series', timeout: 120_000 }, async () => {
          const key = newObjectKey()
          await putNew(key, 4, 6)
          const numbers = Array.from({ length: uses }, (_, at) => (at % 1000 === 0 ? 6 : 4))
          await backend.storage.compose(key, partsOf(...numbers))
          const expected = digest(Buffer.concat(numbers.map(bytesOfPart)))
          expect(digest(await read(key))).toEqual(expected)
        })

        it('hashes parts before the object is composed', async () => {
          const key = newObjectKey()
          await putNew(key, 2, 7, 3)
          const hash = backend.storage.hashParts?.(key)
          if (!hash) return
          await hash.add([3, 7])
          const longer = hash.copy()
          await longer.add([2, 2, 7])
          const digests = [await hash.digest(), await longer.digest()]
          const orders = [
            [3, 7],
            [3, 7, 2, 2, 7],
          ]
          expect(digests).toEqual(orders.map(order => digest(Buffer.concat(order.map(bytesOfPart)))))
          for (const each of [hash, longer]) each.release()
          const missing = backend.storage.hashParts?.(key)
          await expect(missing?.add([2, 4])).rejects.toMatchObject({ kind: 'notFound' })
          missing?.release()
        })
      })

      it('keeps the received bytes of an interrupted part with keepPartial', async () => {
        const key = newObjectKey()
        const kept = await backend.storage.putPart(key, 0, thenFails(Buffer.from('half')), {
          keepPartial: true,
        })
        expect(kept).toBe(4)
        await backend.storage.putPart(key, 1, from(Buffer.from(', and the rest')))
        await backend.storage.compose(key, firstParts(2))
        expect((await read(key)).toString()).toBe('half, and the rest')
      })

      it('keeps nothing of an interrupted part without keepPartial, or of one that is too large', async () => {
        const key = newObjectKey()
        await expect(backend.storage.putPart(key, 0, thenFails(Buffer.from('half')))).rejects.toThrow(
          'cut off',
        )
        const options = { limitBytes: 3, keepPartial: true }
        const exceeding = backend.storage.putPart(key, 0, from(Buffer.from('half')), options)
        await expect(exceeding).rejects.toMatchObject({ kind: 'tooLarge' })
        await expect(backend.storage.compose(key, firstParts(1))).rejects.toMatchObject({ kind: 'notFound' })
      })

      it('can be repeated without effect', async () => {
        const key = newObjectKey()
        await backend.storage.putPart(key, 0, from(Buffer.from('whole')))
        await backend.storage.compose(key, firstParts(1))
        await backend.storage.compose(key, firstParts(1))
        expect((await read(key)).toString()).toBe('whole')
      })

      it('fails if a part is missing', async () => {
        const key = newObjectKey()
        await backend.storage.putPart(key, 1, from(Buffer.from('last')))
        await expect(backend.storage.compose(key, firstParts(2))).rejects.toMatchObject({ kind: 'notFound' })
        expect(await backend.storage.size(key)).toBeUndefined()
        await backend.storage.delete(key)
      })
    })
  })
}

/** Returns the first parts of an object without their sizes, so the storage has to determine them. */
const firstParts = (count: number): Part[] => Array.from({ length: count }, (_, part) => ({ part }))

export async function* from(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

async function* thenFails(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
  throw new Error('cut off')
}

export const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray())
}
