import { redirect } from 'next/navigation'
import { readOrg } from '@/app/_features/orgs/read-org'
import { orgPath } from '@/app/_lib/paths'

interface OrgPageProps {
  params: Promise<{ org: string }>
}

/** Redirects to the organization's profile page at `/{org}`. */
export default async function OrgPage({ params }: OrgPageProps): Promise<never> {
  const { organization } = await readOrg((await params).org)
  redirect(orgPath(organization.name))
}
