'use client'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { SaveForm } from '@/app/_components/save-form'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { Organization } from '@/server/orgs/schema'
import { VisibilityField } from '../../_org/visibility-field'

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
  email: 'E-mail address',
  visibility: 'Visibility',
}

export function OrgProfileForm({ organization }: { organization: Organization }): ReactNode {
  const edit = useSaveForm({
    schema: async () => (await import('@/server/orgs/schema')).OrgProfileFields,
    saved: profileOf(organization),
    labels,
    save: async change => {
      const now = await trpc.orgs.save.mutate({ org: organization.name, ...change })
      toast.success('Profile saved')
      return profileOf(now)
    },
  })
  const visibility = useWatch({ control: edit.form.control, name: 'visibility' })

  return (
    <Panel title="Profile">
      <SaveForm edit={edit} failed="The profile was not saved" action="Save profile">
        <TextField {...edit.text('full_name')} optional autoComplete="off" />
        <TextareaField {...edit.text('description')} optional rows={3} />
        <TextField {...edit.text('website')} type="url" optional autoComplete="off" placeholder="https://" />
        <TextField {...edit.text('location')} optional autoComplete="off" />
        <TextField
          {...edit.text('email')}
          type="email"
          optional
          autoComplete="off"
          caption="Shown to people who are signed in."
        />
        <VisibilityField field={edit.form.register('visibility')} value={visibility} />
      </SaveForm>
    </Panel>
  )
}
