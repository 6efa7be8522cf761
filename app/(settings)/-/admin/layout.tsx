import type { ReactNode } from 'react'
import { requireAdmin } from '@/app/_lib/server'

export default async function AdminLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  await requireAdmin()
  return children
}
