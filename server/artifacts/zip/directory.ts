import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel } from 'yauzl'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import { hasControlCharacter } from '@/server/kernel/wire'
import type { ZipSource } from './source'
import { WindowReader } from './window-reader'

/** File in an archive. */
export interface ZipMember {
  /** Separated by slashes; never absolute and never containing `..`. */
  path: string
  /** In bytes, uncompressed, as the archive claims. It is verified only when the file is read. */
  size: number
  compressedSize: number
  /** 0 for stored, 8 for deflated; other methods cannot be read. */
  method: number
  crc32: number
  /** Offset of the local header in the archive. */
  offset: number
  modifiedAt: Date | undefined
  isEncrypted: boolean
  isExecutable: boolean
}

export interface ZipDirectory {
  /** Files by path. If several have the same path, the last one is kept, as when the archive is unpacked. */
  members: ReadonlyMap<string, ZipMember>
  /** Paths of the folders that have their own entries. */
  folders: ReadonlySet<string>
  /** Number of entries left out because of their name or size. */
  skipped: number
}

export const maxMembers = 200_000
const maxDirectoryBytes = 64 * 1024 * 1024
const maxPathLength = 1024
// Most entries are already in memory, and reading them without a break would block the event loop for
// seconds.
const entriesPerTurn = 1000

/**
 * Reads the central directory of an archive, in bounded time and memory.
 * @throws {DomainError} unprocessable if it is not a zip archive, damaged, or too large to browse.
 */
export async function readDirectory(source: ZipSource): Promise<ZipDirectory> {
  try {
    return await read(source)
  } catch (error) {
    throw isDomainError(error) ? error : damaged
  }
}

const damaged = unprocessable('The archive cannot be read because it is damaged or not a zip archive.')

async function read(source: ZipSource): Promise<ZipDirectory> {
  const zip = await fromRandomAccessReaderPromise(new WindowReader(source), source.size, {
    lazyEntries: true,
    decodeStrings: false,
    validateEntrySizes: false,
  })
  if (zip.entryCount > maxMembers) throw tooMany(zip.entryCount)
  const members = new Map<string, ZipMember>()
  const folders = new Set<string>()
  const extents: Extent[] = []
  let [entries, bytes, skipped] = [0, 0, 0]
  for await (const entry of zip.eachEntry()) {
    if (++entries % entriesPerTurn === 0) await nextTurn()
    bytes += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (bytes > maxDirectoryBytes) throw tooMany(zip.entryCount)
    const { path, isFolder } = pathOf(entry)
    const member = memberOf(path, entry)
    if (path === '' || !isKnownSize(member)) skipped++
    else if (isFolder) folders.add(path)
    else members.set(path, member)
    if (!isFolder && isKnownSize(member)) extents.push(member)
  }
  requireDisjoint(extents)
  return { members, folders, skipped }
}

const tooMany = (count: number) =>
  unprocessable(
    `The archive is too large to browse: it has ${count} entries, and at most ${maxMembers} can be shown. Download it instead.`,
  )

/** Returns the path of an entry without empty and `.` segments; empty if it must not be shown. */
function pathOf(entry: Entry): { path: string; isFolder: boolean } {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  const segments = name.split('/')
  const isUnsafe =
    name.length > maxPathLength ||
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    segments.includes('..') ||
    hasControlCharacter(name) ||
    !name.isWellFormed()
  const path = isUnsafe ? '' : segments.filter(segment => segment !== '' && segment !== '.').join('/')
  return { path, isFolder: name.endsWith('/') }
}

const unix = 3

function memberOf(path: string, entry: Entry): ZipMember {
  const modifiedAt = entry.getLastModDate({ timezone: 'UTC' })
  const mode = entry.versionMadeBy >> 8 === unix ? entry.externalFileAttributes >>> 16 : 0
  return {
    path,
    size: entry.uncompressedSize,
    compressedSize: entry.compressedSize,
    method: entry.compressionMethod,
    crc32: entry.crc32,
    offset: entry.relativeOffsetOfLocalHeader,
    modifiedAt: Number.isNaN(modifiedAt.getTime()) ? undefined : modifiedAt,
    isEncrypted: entry.isEncrypted(),
    isExecutable: (mode & 0o111) !== 0,
  }
}

const isKnownSize = ({ size, compressedSize }: ZipMember): boolean =>
  Number.isSafeInteger(size) && Number.isSafeInteger(compressedSize)

type Extent = Pick<ZipMember, 'offset' | 'compressedSize'>

// Files that share their data are how a small archive claims to hold petabytes.
function requireDisjoint(extents: Extent[]): void {
  extents.sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, compressedSize } of extents) {
    if (offset < end) throw unprocessable('The archive cannot be read because its files overlap.')
    end = offset + localHeaderBytes + compressedSize
  }
}

/** Length of a local header without the name and the extra fields that follow it. */
export const localHeaderBytes = 30
