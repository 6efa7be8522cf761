import type { ReactNode } from 'react'
import { AddressSelect } from '@/app/_components/address-select'
import { type Order, orders } from './orders'

const choices = orders.map(({ sort, words }) => ({ value: sort, words }))

export function SortMenu({ sort }: Pick<Order, 'sort'>): ReactNode {
  return <AddressSelect label="Sort by" name="sort" value={sort} choices={choices} />
}
