import type { ReactNode } from 'react'
import { QuerySelect } from '@/app/_components/query-controls'

/** The orders a list of repositories can have, the usual one first. */
export const orders = [
  { sort: 'updated', order: 'desc', label: 'Recently updated' },
  { sort: 'created', order: 'desc', label: 'Newest' },
  { sort: 'alpha', order: 'asc', label: 'Name' },
  { sort: 'size', order: 'desc', label: 'Largest' },
] as const
export type Order = (typeof orders)[number]

/** The order an address asks for; the usual one for any other text. */
export function orderOf(sort: string): Order {
  return orders.find(order => order.sort === sort) ?? orders[0]
}

const choices = orders.map(({ sort, label }) => ({ value: sort, label }))

export function SortMenu({ sort }: Pick<Order, 'sort'>): ReactNode {
  return <QuerySelect label="Sort by" name="sort" value={sort} choices={choices} />
}
