'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { openRepositoriesQuery } from '@/app/_lib/queries'
import type { Organization } from '@/server/orgs/schema'
import { visibilityEffect } from './visibility-effect'

interface OrgVisibilityDialogProps {
  organization: Organization
  before: Organization['visibility']
  after: Organization['visibility']
  onConfirm: () => void
  onClose: () => void
}

/** Names who will see the organization and its repositories, or no longer, before its visibility is saved. */
export function OrgVisibilityDialog(props: OrgVisibilityDialogProps): ReactNode {
  const { organization, before, after, onConfirm, onClose } = props
  const { data, error } = useQuery(openRepositoriesQuery(organization.id))
  return (
    <ConfirmDialog
      title={`Make ${organization.name} ${after}?`}
      confirm={`Make ${after}`}
      ready={data !== undefined}
      pending={false}
      failure={undefined}
      refusal={error ? readFailure(error).message : undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div role="status">
        {data ? (
          visibilityEffect(organization.name, before, after, data).map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))
        ) : (
          <p>Looking up who will see what…</p>
        )}
      </div>
    </ConfirmDialog>
  )
}
