import { z } from 'zod'
import { unprocessable } from './errors'

export const defaultPageSize = 30
export const maxPageSize = 50

export interface PageRequest {
  page: number
  limit: number
}

/** One page of a list, with the total number of entries. */
export interface Page<T> extends PageRequest {
  items: T[]
  total: number
}

const loose = z.union([z.number(), z.string(), z.array(z.string())]).optional()

// Clients send 0, -1 or other invalid values to mean "no preference", so a list must not fail because of them.
const wholeNumber = (value: z.output<typeof loose>): number => {
  const parsed = Number(Array.isArray(value) ? value[0] : value)
  return Number.isInteger(parsed) && parsed > 0 ? parsed : 0
}

/**
 * Input fields of a paginated list: lenient `page` (1-based) and `limit`, which are clamped instead of
 * refused.
 */
export const pageInput = {
  page: loose
    .transform(value => Math.min(wholeNumber(value) || 1, 1_000_000_000))
    .meta({
      override: { type: 'integer', minimum: 1, default: 1 },
      description: 'Page number, starting at 1.',
    }),
  limit: loose
    .transform(value => Math.min(wholeNumber(value) || defaultPageSize, maxPageSize))
    .meta({
      override: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
      description: `Number of entries per page, at most ${maxPageSize}.`,
    }),
}

/** Maximum number of rows on a page of the web interface, and of rows that can be changed together. */
export const maxBrowsePageSize = 100

/** IDs of the rows of a list that an action applies to; they can be on several pages. */
export const selectedIds = z.array(z.int().positive()).min(1).max(maxBrowsePageSize)

/**
 * Returns the input fields of a list in the web interface: a search text, a sort order (the first one by
 * default), and a page.
 */
export const browseInput = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => ({
  // PostgreSQL cannot store NUL.
  q: z
    .string()
    .transform(text => text.replaceAll('\0', '').trim())
    .pipe(z.string().max(100))
    .default(''),
  sort: z.enum(sorts).default(sorts[0] as never),
  page: pageInput.page,
  limit: loose.transform(value => Math.min(wholeNumber(value) || defaultPageSize, maxBrowsePageSize)),
})

// Like on GitHub, whose clients count pages by the limit they requested.
const maxGithubPageSize = 100

const githubPageSize = (description: string) =>
  loose
    .transform(value => Math.min(wholeNumber(value), maxGithubPageSize) || undefined)
    .meta({ override: { type: 'integer', minimum: 1, maximum: maxGithubPageSize }, description })

/**
 * Input fields of a list that GitHub clients also read; they send `per_page`. `githubPage` evaluates the
 * fields.
 */
export const githubPageInput = {
  page: pageInput.page,
  limit: githubPageSize(
    `Number of entries per page; ${defaultPageSize} by default, at most ${maxGithubPageSize}.`,
  ),
  per_page: githubPageSize('Alias for `limit`.'),
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
 * One page of a list that grows at its start, newest entries first. The next page is requested with `next`, so
 * that no entry is repeated or skipped while the list grows.
 */
export interface CursorPage<T> {
  items: T[]
  /** Id of the last entry on the page; null if there are no more entries. */
  next: number | null
}

/** Input fields of a list with cursors: a strictly validated `cursor` and a lenient `limit`. */
export const cursorInput = {
  cursor: loose
    .transform((value, issues) => {
      const param = String((Array.isArray(value) ? value[0] : value) ?? '')
      if (param === '') return undefined
      if (/^[1-9]\d{0,14}$/.test(param)) return Number(param)
      // An invalid cursor must be an error: if it were ignored, a client that follows the list would start
      // over endlessly.
      issues.addIssue(
        'The cursor must be the ID of an entry, as provided in the Link header. Omit it to start with the newest entry.',
      )
      return z.NEVER
    })
    .meta({
      override: { type: 'integer', format: 'int64' },
      description: 'ID of the entry after which the page starts, as provided in the Link header.',
    }),
  limit: pageInput.limit,
}

export function cursorPageOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; next: z.ZodNullable<z.ZodInt> }> {
  return z.object({ items: z.array(item), next: z.int().nullable() })
}

/**
 * Returns a page of rows that are sorted newest first. `rows` must contain one row more than the page if there
 * are more.
 */
export function pageBeforeCursor<R extends { id: number }>(limit: number, rows: readonly R[]): CursorPage<R> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

/**
 * Returns the direction for a list's `order` parameter, ascending if it is empty.
 * @throws {DomainError} unprocessable if the value is neither asc nor desc.
 */
export function directionOf(order = ''): 'asc' | 'desc' {
  if (order === 'asc' || order === 'desc') return order
  if (order) throw unprocessable('Invalid sort order: use asc or desc', { field: 'order' })
  return 'asc'
}

/** Returns a complete list as one page. */
export function wholePage<T>(items: T[]): Page<T> {
  return { items, total: items.length, page: 1, limit: Math.max(items.length, 1) }
}

/**
 * Returns one page of a list from rows that each contain the list's `total`, computed by a window function.
 * `countAll` is called only for a page past the end, which has no rows to contain the total.
 */
export async function pageFromRows<R extends { total: number }>(
  request: PageRequest,
  rows: R[],
  countAll: () => Promise<number>,
): Promise<Page<R>> {
  const total = rows[0]?.total ?? (request.page > 1 ? await countAll() : 0)
  return { items: rows, total, page: request.page, limit: request.limit }
}
