import { z } from 'zod'
import { unprocessable } from './errors'

export const defaultPageSize = 30
export const maxPageSize = 50

export interface PageRequest {
  page: number
  limit: number
}

/** One page of a list and the size of the whole. */
export interface Page<T> extends PageRequest {
  items: T[]
  total: number
}

const loose = z.union([z.number(), z.string(), z.array(z.string())]).optional()

// Clients send 0, -1 or nonsense to mean "no preference"; a list must never fail for it.
const wholeNumber = (value: z.output<typeof loose>): number => {
  const parsed = Number(Array.isArray(value) ? value[0] : value)
  return Number.isInteger(parsed) && parsed > 0 ? parsed : 0
}

/** Spread into a list's input: lenient `page` (1-based) and `limit`, clamped instead of refused. */
export const pageInput = {
  page: loose
    .transform(value => Math.min(wholeNumber(value) || 1, 1_000_000_000))
    .meta({
      override: { type: 'integer', minimum: 1, default: 1 },
      description: 'Page of the list, from 1.',
    }),
  limit: loose
    .transform(value => Math.min(wholeNumber(value) || defaultPageSize, maxPageSize))
    .meta({
      override: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
      description: `Entries on a page; more than ${maxPageSize} counts as ${maxPageSize}.`,
    }),
}

/** The most rows of a list that people work with on a page, and the most that are changed at once. */
export const maxBrowsePageSize = 100

/** The rows of a list that something is done with at once, which may be on several of its pages. */
export const selectedIds = z.array(z.int().positive()).min(1).max(maxBrowsePageSize)

/**
 * Spread into the input of a list that people work with on a page: a text that entries hold, and one of these orders, the
 * first unless another is named.
 */
export const browseInput = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => ({
  // Without NUL, which PostgreSQL has no place for.
  q: z
    .string()
    .transform(text => text.replaceAll('\0', '').trim())
    .pipe(z.string().max(100))
    .default(''),
  sort: z.enum(sorts).default(sorts[0] as never),
  page: pageInput.page,
  limit: loose.transform(value => Math.min(wholeNumber(value) || defaultPageSize, maxBrowsePageSize)),
})

// As GitHub, whose clients count the pages by what they asked for.
const maxGithubPageSize = 100

const githubPageSize = (description: string) =>
  loose
    .transform(value => Math.min(wholeNumber(value), maxGithubPageSize) || undefined)
    .meta({ override: { type: 'integer', minimum: 1, maximum: maxGithubPageSize }, description })

/** Spread into the input of a list that clients of GitHub read too, which send `per_page`. Read it with `githubPage`. */
export const githubPageInput = {
  page: pageInput.page,
  limit: githubPageSize(`Entries on a page; ${defaultPageSize} by default, at most ${maxGithubPageSize}.`),
  per_page: githubPageSize('Another name for `limit`.'),
}

export function githubPage(input: {
  page: number
  limit: number | undefined
  per_page: number | undefined
}): PageRequest {
  return { page: input.page, limit: input.limit ?? input.per_page ?? defaultPageSize }
}

export function pageOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; total: z.ZodInt; page: z.ZodInt; limit: z.ZodInt }> {
  return z.object({ items: z.array(item), total: z.int(), page: z.int(), limit: z.int() })
}

/**
 * A part of a list that grows at its beginning, newest first: what comes after it is asked for with `next`, so that nothing
 * is told twice or left out in the meantime.
 */
export interface CursorPage<T> {
  items: T[]
  /** The id of the last entry; null where nothing comes after it. */
  next: number | null
}

/** Spread into a list's input: a `cursor` that must be one, and a lenient `limit`. */
export const cursorInput = {
  cursor: loose
    .transform((value, issues) => {
      const param = String((Array.isArray(value) ? value[0] : value) ?? '')
      if (param === '') return undefined
      if (/^[1-9]\d{0,14}$/.test(param)) return Number(param)
      // Whoever follows a list would begin anew without end.
      issues.addIssue('Give the id of an entry, as the Link header does, or leave it out for the newest.')
      return z.NEVER
    })
    .meta({
      override: { type: 'integer', format: 'int64' },
      description: 'The id of an entry: begins with what comes after it. The Link header has it.',
    }),
  limit: pageInput.limit,
}

export function cursorPageOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; next: z.ZodNullable<z.ZodInt> }> {
  return z.object({ items: z.array(item), next: z.int().nullable() })
}

/** Makes a page of rows, newest first, of which one more than the page holds was selected. */
export function pageBeforeCursor<R extends { id: number }>(limit: number, rows: readonly R[]): CursorPage<R> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

/**
 * Returns the direction a list's `order` asks for, ascending when it is empty.
 * @throws {DomainError} unprocessable for any other word.
 */
export function directionOf(order = ''): 'asc' | 'desc' {
  if (order === 'asc' || order === 'desc') return order
  if (order) throw unprocessable('Invalid sort order: use asc or desc', { field: 'order' })
  return 'asc'
}

/** A list given whole: one page that holds everything. */
export function wholePage<T>(items: T[]): Page<T> {
  return { items, total: items.length, page: 1, limit: Math.max(items.length, 1) }
}

/**
 * Pages rows that each carry `total` from a window count. `countAll` is asked only for a page past the end,
 * where no row is left to carry it.
 */
export async function pageFromRows<R extends { total: number }>(
  request: PageRequest,
  rows: R[],
  countAll: () => Promise<number>,
): Promise<Page<R>> {
  const total = rows[0]?.total ?? (request.page > 1 ? await countAll() : 0)
  return { items: rows, total, page: request.page, limit: request.limit }
}
