import type { ReactNode } from 'react'
import { requireSetUp } from '@/app/_lib/gates'
import { OrgFrame } from '../_org/org-frame'
import { readOrg } from '../_org/read-org'

interface OrgLayoutProps {
  params: Promise<{ org: string }>
  children: ReactNode
}

export default async function OrgLayout({ params, children }: OrgLayoutProps): Promise<ReactNode> {
  await requireSetUp()
  return <OrgFrame overview={await readOrg((await params).org)}>{children}</OrgFrame>
}
