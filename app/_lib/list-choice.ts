export interface Option<V extends string = string> {
  value: V
  label: string
}

/** The first option is the default without a query parameter. */
type Options = readonly [Option, ...Option[]]

/** Sort orders and filters of a list. Keys and values are the same in URLs and API calls. */
export interface ListSpec {
  sorts: Options
  filters: Readonly<Record<string, { label: string; options: Options }>>
}

/** State of a list as its URL contains it. */
export type ListChoice<S extends ListSpec> = {
  q: string
  sort: S['sorts'][number]['value']
  page: number
  limit: number
} & { -readonly [F in keyof S['filters']]: S['filters'][F]['options'][number]['value'] }

export const defineList = <const S extends ListSpec>(spec: S): S => spec

/**
 * Maximum number of rows per page, and of rows that can be changed together: the server's
 * `maxBrowsePageSize`.
 */
export const mostRows = 100

export const pageSizes = [30, 50, mostRows] as const

// No name is longer, and the server refuses longer texts.
const maxTextLength = 100

/** Reads a list's state from query parameters. Defaults replace missing and invalid values. */
export function readListChoice<S extends ListSpec>(
  spec: S,
  read: (name: string) => string | null | undefined,
): ListChoice<S> {
  const page = Number(read('page'))
  const limit = Number(read('limit'))
  const selected = (name: string, options: Options): [string, string] => {
    const value = read(name)
    return [name, (options.find(option => option.value === value) ?? options[0]).value]
  }
  const filters = Object.entries(spec.filters).map(([name, { options }]) => selected(name, options))
  return {
    q: (read('q') ?? '').trim().slice(0, maxTextLength),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    limit: pageSizes.find(size => size === limit) ?? pageSizes[0],
    ...Object.fromEntries([selected('sort', spec.sorts), ...filters]),
  } as ListChoice<S>
}

/**
 * Changes a list's state in query parameters, which do not contain defaults. A change of anything but the
 * page returns to the first page.
 */
export function changeListChoice(
  spec: ListSpec,
  params: URLSearchParams,
  changes: Readonly<Record<string, string | number>>,
): void {
  const defaults: Record<string, string> = {
    q: '',
    page: '1',
    limit: String(pageSizes[0]),
    sort: spec.sorts[0].value,
    ...Object.fromEntries(
      Object.entries(spec.filters).map(([name, { options }]) => [name, options[0].value]),
    ),
  }
  if (!('page' in changes)) params.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (String(value) === defaults[name]) params.delete(name)
    else params.set(name, String(value))
  }
}
