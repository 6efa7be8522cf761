import type { ReactNode } from 'react'
import { OrgFrame } from '@/app/_features/orgs/org-frame'
import { readOrg } from '@/app/_features/orgs/read-org'
import { requireSetUp } from '@/app/_lib/server'

interface OrgLayoutProps {
  params: Promise<{ org: string }>
  children: ReactNode
}

export default async function OrgLayout({ params, children }: OrgLayoutProps): Promise<ReactNode> {
  await requireSetUp()
  return <OrgFrame overview={await readOrg((await params).org)}>{children}</OrgFrame>
}
