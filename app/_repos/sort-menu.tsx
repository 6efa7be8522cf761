'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { FormControl, Select } from '@/app/_components/primer'
import { type Order, orders } from './orders'

/** The order is in the address. */
export function SortMenu({ sort }: Pick<Order, 'sort'>): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()

  const choose = (wanted: string): void => {
    const params = new URLSearchParams(search)
    params.delete('page')
    if (wanted === orders[0].sort) params.delete('sort')
    else params.set('sort', wanted)
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }

  return (
    <FormControl>
      <FormControl.Label visuallyHidden>Sort by</FormControl.Label>
      <Select value={sort} onChange={event => choose(event.target.value)}>
        {orders.map(order => (
          <Select.Option key={order.sort} value={order.sort}>
            {order.words}
          </Select.Option>
        ))}
      </Select>
    </FormControl>
  )
}
