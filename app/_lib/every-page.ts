import type { Page } from '@/server/kernel/pagination'

/** More would be a burden to choose from, and on the server. */
const maxPages = 10

/** The entries of a list, page after page. */
export async function everyPage<T>(read: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  for (let page = 1; page <= maxPages; page++) {
    const answer = await read(page)
    items.push(...answer.items)
    if (answer.items.length === 0 || items.length >= answer.total) break
  }
  return items
}
