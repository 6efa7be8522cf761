import type { ReactNode } from 'react'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import styles from '@/app/_features/repos/explore.module.css'

export default function Loading(): ReactNode {
  return (
    <div className={styles.page}>
      <ListSkeleton />
    </div>
  )
}
