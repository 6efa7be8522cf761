'use client'
import type { ReactNode } from 'react'
import { CheckCircleFillIcon, ClockIcon, XCircleFillIcon } from '@/app/_components/icons'
import type { HookDelivery } from '@/server/hooks/log/schema'
import styles from './delivery-status.module.css'

/** Icon for a delivery's status, with a text alternative. */
export function StatusSign({ status }: Pick<HookDelivery, 'status'>): ReactNode {
  switch (status) {
    case 'delivered':
      return <CheckCircleFillIcon className={styles.delivered} aria-label="Delivered" />
    case 'pending':
      return <ClockIcon className={styles.pending} aria-label="Pending" />
    case 'failed':
      return <XCircleFillIcon className={styles.failed} aria-label="Failed" />
  }
}
