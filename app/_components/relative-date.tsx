'use client'
import type { ReactNode } from 'react'
import { RelativeTime } from './primer'

/** "3 days ago", later "on Nov 3"; the exact time on hover. */
export function RelativeDate({ value }: { value: string }): ReactNode {
  return <RelativeTime datetime={value} tense="past" lang="en-US" />
}
