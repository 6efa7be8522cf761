'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useLive } from '@/app/_lib/use-live'
import type { Topic } from '@/server/live/schema'

/** Brings everything on the page up to date when something happens to what it is about. */
export function LiveRefresh({ topics }: { topics: readonly Topic[] }): null {
  const router = useRouter()
  const queryClient = useQueryClient()
  useLive(topics, () => {
    router.refresh()
    // What somebody is about to agree to stays as they read it; whether it still holds is checked when they do.
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'departure' })
  })
  return null
}
