import type { ReactNode } from 'react'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { requireAdmin } from '@/app/_lib/server'

export default async function AdminLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  await requireAdmin()
  return (
    <>
      <LiveRefresh topics={[{ topic: 'site' }]} />
      {children}
    </>
  )
}
