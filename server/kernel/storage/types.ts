import type { Readable } from 'node:stream'

/** What was stored: its length and the SHA-256 of its bytes, computed while they were written. */
export interface StoredObject {
  size: number
  sha256: Buffer
}

/** The first and the last byte of a range. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where bytes are kept that are too large for the database: a directory, a bucket, a container. Keys are 32 hex digits
 * (`newObjectKey`). Nothing is visible under its key before all of it is durable. What objects are for is not known here.
 */
export interface ObjectStorage {
  /**
   * Writes an object as fast as the storage takes it. The chunks of the source are not copied, so they must stay as they are;
   * it is ended as `for await` ends one.
   * @throws {DomainError} tooLarge with the limit's message as soon as more comes than `limitBytes`; unavailable when the
   *   storage is full or away. Nothing is left of it then, nor where the source fails or the signal is aborted.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>
  /**
   * Opens an object, or a range within it, read only as fast as it is consumed. The stream must be read or destroyed.
   * @throws {DomainError} notFound.
   */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** Deletes an object and what there is of its parts, whether there are any or not. */
  delete(key: string): Promise<void>
  /** The length in bytes; undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /**
   * Writes one part of an object that comes in several requests. Numbers begin with 0; a part written again replaces
   * what was there. Of a source that fails or is aborted, what came is kept where `keepPartial` is set, and its size returned.
   * @throws {DomainError} as `put` does.
   */
  putPart(
    key: string,
    part: number,
    source: AsyncIterable<Uint8Array>,
    options?: PutPartOptions,
  ): Promise<StoredObject>
  /**
   * Makes the first parts an object, in their order, without moving their bytes where the storage can. Does nothing where
   * that was done before.
   * @throws {DomainError} notFound when one of them is missing.
   */
  compose(key: string, parts: number): Promise<void>
  /** An address that gives the object to whoever has it; undefined where the storage has none to give. */
  signedUrl(key: string, answer: SignedAnswer): Promise<string | undefined>
}

export interface PutOptions {
  limitBytes?: number | undefined
  /** How long the whole object may get, as far as that is known: larger ones are sent in larger pieces. */
  expectedBytes?: number | undefined
  /** Of the refusal; names the limit where left out. */
  tooLargeMessage?: string | undefined
  signal?: AbortSignal | undefined
}

export interface PutPartOptions extends PutOptions {
  keepPartial?: boolean | undefined
}

/** What a signed address answers with, and for how long. */
export interface SignedAnswer {
  contentType: string
  contentDisposition: string
  expiresInSeconds: number
}
