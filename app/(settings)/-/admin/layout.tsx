import type { ReactNode } from 'react'
import { requireAdmin } from '@/app/_lib/guards'

export default async function AdminLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  await requireAdmin()
  return children
}
