import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { DeleteOrgSection, RenameOrgForm } from '@/app/_features/orgs/settings/org-danger-zone'
import { OrgProfileForm } from '@/app/_features/orgs/settings/org-profile-form'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, instanceStatus } from '@/app/_lib/server'

interface OrgSettingsPageProps {
  params: Promise<{ org: string }>
}

export async function generateMetadata({ params }: OrgSettingsPageProps): Promise<Metadata> {
  return { title: `Settings · ${decodeSegment((await params).org)}` }
}

export default async function OrgSettingsPage({ params }: OrgSettingsPageProps): Promise<ReactNode> {
  const [{ organization, counts }, { base_url }] = await Promise.all([
    readOrgAsManager((await params).org),
    instanceStatus(),
  ])
  const { id, name } = organization
  const scope = { kind: 'organization', org: name } as const
  // The call throws forbidden if this site has webhooks turned off. Deleting the organization deletes its
  // webhooks in either case.
  const webhooks = await (await caller()).hooks.browse({ scope, limit: 1 }).then(
    ({ total }) => total,
    () => undefined,
  )
  return (
    <>
      <PageHeading title="Settings">
        Edit the organization’s profile, rename the organization, or delete it.
      </PageHeading>
      <OrgProfileForm key={id} organization={organization} />
      <RenameOrgForm key={name} org={name} baseUrl={base_url} />
      <DeleteOrgSection org={name} repositories={counts.repositories} webhooks={webhooks} />
    </>
  )
}
