'use client'
import type { ReactNode } from 'react'
import { dayMs } from '@/app/_lib/format'
import { Label } from './primer'
import { RelativeDate } from './relative-date'

const weekMs = 7 * dayMs

interface ExpiryProps {
  /** Time of expiry. Null or undefined for never. */
  value: string | null | undefined
}

/** Label that shows that something has expired or expires within a week. */
export function ExpiryLabel({ value }: ExpiryProps): ReactNode {
  if (!value) return null
  const left = Date.parse(value) - Date.now()
  if (left <= 0) return <Label variant="danger">Expired</Label>
  return left <= weekMs ? <Label variant="attention">Expires soon</Label> : null
}

/** Shows an expiration date as one of a row's facts. */
export function ExpiryFact({ value }: ExpiryProps): ReactNode {
  if (!value) return <span>Never expires</span>
  const isOver = Date.parse(value) <= Date.now()
  return (
    <span>
      {isOver ? 'Expired ' : 'Expires '}
      <RelativeDate value={value} future={!isOver} />
    </span>
  )
}
