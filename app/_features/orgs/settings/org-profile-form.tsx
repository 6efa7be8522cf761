'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { LazyConfirmDialog } from '@/app/_components/confirm-button'
import { TextareaField, TextField } from '@/app/_components/fields'
import { SaveForm } from '@/app/_components/save-form'
import { VisibilityField } from '@/app/_features/orgs/fields'
import { visibilityEffect } from '@/app/_features/orgs/visibility'
import { readFailure } from '@/app/_lib/failure'
import { openRepositoriesQuery } from '@/app/_lib/queries/repositories'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { Organization } from '@/server/orgs/schema'

const profileOf = ({ full_name, description, website, location, email, visibility }: Organization) => ({
  full_name,
  description,
  website,
  location,
  email,
  visibility,
})

const labels = {
  full_name: 'Full name',
  description: 'Description',
  website: 'Website',
  location: 'Location',
  email: 'Email address',
  visibility: 'Visibility',
}

interface Question {
  before: Organization['visibility']
  after: Organization['visibility']
  answer: (agreed: boolean) => void
}

export function OrgProfileForm({ organization }: { organization: Organization }): ReactNode {
  const [question, setQuestion] = useState<Question>()
  const edit = useSaveForm({
    schema: async () => (await import('@/server/orgs/schema')).OrgProfileFields,
    saved: profileOf(organization),
    labels,
    confirm: async ({ changes, expected }) => {
      const after = changes.visibility
      if (!after) return true
      const before = expected.visibility as Question['before']
      const agreed = await new Promise<boolean>(answer => setQuestion({ before, after, answer }))
      setQuestion(undefined)
      return agreed
    },
    save: async change => {
      const now = await trpc.orgs.save.mutate({ org: organization.name, ...change })
      toast.success('Profile saved')
      return profileOf(now)
    },
  })
  const visibility = useWatch({ control: edit.form.control, name: 'visibility' })

  return (
    <Panel title="Profile">
      <SaveForm edit={edit} failed="The profile couldn’t be saved" action="Save profile">
        <TextField {...edit.text('full_name')} optional autoComplete="off" />
        <TextareaField {...edit.text('description')} optional rows={3} />
        <TextField {...edit.text('website')} type="url" optional autoComplete="off" placeholder="https://" />
        <TextField {...edit.text('location')} optional autoComplete="off" />
        <TextField
          {...edit.text('email')}
          type="email"
          optional
          autoComplete="off"
          caption="Visible to signed-in users."
        />
        <VisibilityField field={edit.form.register('visibility')} value={visibility} />
      </SaveForm>
      {question ? (
        <OrgVisibilityDialog
          organization={organization}
          before={question.before}
          after={question.after}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        />
      ) : null}
    </Panel>
  )
}

interface OrgVisibilityDialogProps {
  organization: Organization
  before: Organization['visibility']
  after: Organization['visibility']
  onConfirm: () => void
  onClose: () => void
}

/**
 * Dialog that explains who gains or loses access to the organization and its repositories before a new
 * visibility is saved.
 */
function OrgVisibilityDialog(props: OrgVisibilityDialogProps): ReactNode {
  const { organization, before, after, onConfirm, onClose } = props
  const { data, error } = useQuery(openRepositoriesQuery(organization.id))
  return (
    <LazyConfirmDialog
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
          <p>Checking what’s affected…</p>
        )}
      </div>
    </LazyConfirmDialog>
  )
}
