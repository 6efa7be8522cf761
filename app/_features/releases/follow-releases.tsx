'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { LiveMark } from '@/app/_components/live-mark'
import { useLive } from '@/app/_lib/use-live'

/** Brings a page with releases of this repository up to date when something happens there. */
export function FollowReleases({ repository }: { repository: number }): ReactNode {
  const router = useRouter()
  useLive([{ topic: 'repository', id: repository }], () => router.refresh())
  return <LiveMark />
}
