import type { Readable } from 'node:stream'

/** Length in bytes and SHA-256 of a stored object, computed while it was written. */
export interface StoredObject {
  size: number
  sha256: Buffer
}

/** An object in a listing. The size in bytes is undefined if the object is unfinished. */
export interface ListedObject {
  key: string
  size: number | undefined
}

/** First and last byte of a range, inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Storage for data that is too large for the database: a directory, a bucket, or a container. Keys have 32
 * hexadecimal digits (`newObjectKey`). An object becomes visible under its key only when all of it is durable.
 * The storage does not know what objects are used for.
 */
export interface ObjectStorage {
  /**
   * Creates the directory if it does not exist, and verifies that objects can be stored. If a bucket is
   * unreachable, only a warning is logged. Apart from this, the storage writes only what it is told to.
   * @throws {ConfigError} if objects cannot be stored
   */
  prepare(): Promise<void>
  /**
   * Writes an object with back-pressure. Chunks are not copied, so the source must not modify them. The source
   * is closed as by `for await`. If writing fails or is aborted, nothing is left behind.
   * @throws {DomainError} tooLarge, with the message from the options, as soon as more than `limitBytes`
   * arrive; unavailable if the storage is full or unreachable
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>
  /**
   * Opens an object, or a range of it, as a stream with back-pressure. The caller must read or destroy the
   * stream.
   * @throws {DomainError} notFound if the object does not exist
   */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** Deletes an object and its parts, if they exist. */
  delete(key: string): Promise<void>
  /** Returns the length of an object in bytes; undefined if it does not exist. */
  size(key: string): Promise<number | undefined>
  /** Lists all objects, in no particular order, including what unfinished puts have left behind. */
  list(): AsyncIterable<ListedObject>
  /**
   * Writes one part of an object that is uploaded in several requests, and returns the part's size in bytes.
   * Numbers start at 0; writing a part again replaces it. With `keepPartial`, the bytes received so far become
   * the part if the source fails or is aborted.
   * @throws {DomainError} like `put`
   */
  putPart(
    key: string,
    part: number,
    source: AsyncIterable<Uint8Array>,
    options?: PutPartOptions,
  ): Promise<number>
  /**
   * Starts a SHA-256 hash of parts of an object that is not composed yet. Absent if the storage cannot read
   * parts.
   */
  hashParts?(key: string): PartHash
  /**
   * Composes parts into one object, in this order, without transferring bytes if the storage supports that. A
   * part can be used repeatedly; unused parts are deleted. Does nothing if this is already done.
   * @throws {DomainError} notFound if a part is missing; tooLarge if there are more parts than the storage can
   * compose
   */
  compose(key: string, parts: readonly Part[]): Promise<void>
  /**
   * Returns a signed URL that serves the object to anyone who has it; undefined if the storage does not
   * support signed URLs.
   */
  signedUrl(key: string, answer: SignedAnswer): Promise<string | undefined>
  /**
   * Returns a signed URL to which anyone who has it can upload the object with the Azure block protocol;
   * undefined if the storage does not support that.
   */
  signedUploadUrl(key: string, expiresInSeconds: number): Promise<string | undefined>
  /**
   * Copies an object without transferring bytes through this process. Absent if the storage does not support
   * signed upload URLs.
   * @throws {DomainError} notFound if the source does not exist; conflict if it is replaced concurrently
   */
  copy?(from: string, to: string): Promise<void>
}

/** Part of an object that is uploaded in several requests: its number, counted from 0, and its size. */
export interface Part {
  part: number
  /** Size in bytes, required if the part was put with `isNew`. */
  size?: number | undefined
}

/** Incremental SHA-256 hash of the concatenated parts of an object that is uploaded in several requests. */
export interface PartHash {
  /**
   * Adds the bytes of parts. Must not be called again before it resolves.
   * @throws {DomainError} notFound if a part is missing; the hash is then unusable
   */
  add(parts: readonly number[]): Promise<void>
  /** Returns an independent hash that continues from the current state. */
  copy(): PartHash
  /** Returns the digest. After this, only `release` can be called. */
  digest(): Promise<Buffer>
  /** Frees the hash. Must be called once for each hash, including copies. */
  release(): void
}

export interface PutOptions {
  limitBytes?: number | undefined
  /** Expected length of the whole object in bytes, if known. Larger objects are sent in larger pieces. */
  expectedBytes?: number | undefined
  /** Message of the error for an object that is too large; by default it names the limit. */
  tooLargeMessage?: string | undefined
  signal?: AbortSignal | undefined
}

export interface PutPartOptions extends PutOptions {
  keepPartial?: boolean | undefined
  /**
   * Set if the part number was never used before for this object and the part need not be durable before the
   * object is composed. This saves time and requests.
   */
  isNew?: boolean | undefined
}

/** Response headers for downloads from a signed URL, and the number of seconds for which the URL is valid. */
export interface SignedAnswer {
  contentType: string
  contentDisposition: string
  expiresInSeconds: number
}
