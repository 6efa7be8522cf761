import type { ReactNode } from 'react'
import { ListSkeleton } from '@/app/_components/list-skeleton'

export default function Loading(): ReactNode {
  return <ListSkeleton />
}
