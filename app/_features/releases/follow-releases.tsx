'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { LiveMark } from '@/app/_components/live-mark'
import { useLive } from '@/app/_lib/use-live'

/** Refreshes the page when releases of this repository change. */
export function FollowReleases({ repository }: { repository: number }): ReactNode {
  const router = useRouter()
  useLive([{ topic: 'repository', id: repository }], () => router.refresh())
  return <LiveMark />
}
