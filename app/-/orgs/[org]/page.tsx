import { redirect } from 'next/navigation'
import { orgAddress } from '@/app/_features/orgs/org-address'
import { readOrg } from '@/app/_features/orgs/read-org'

interface OrgPageProps {
  params: Promise<{ org: string }>
}

/** The organization's own page is at its name. */
export default async function OrgPage({ params }: OrgPageProps): Promise<never> {
  const { organization } = await readOrg((await params).org)
  redirect(orgAddress(organization.name))
}
