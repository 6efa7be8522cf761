/** The orders a list of repositories can have, the usual one first. */
export const orders = [
  { sort: 'updated', order: 'desc', words: 'Recently updated' },
  { sort: 'created', order: 'desc', words: 'Newest' },
  { sort: 'alpha', order: 'asc', words: 'Name' },
  { sort: 'size', order: 'desc', words: 'Largest' },
] as const
export type Order = (typeof orders)[number]

/** The order an address asks for; the usual one for any other text. */
export function orderOf(sort: string): Order {
  return orders.find(order => order.sort === sort) ?? orders[0]
}
