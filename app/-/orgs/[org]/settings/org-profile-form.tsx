'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
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
  const router = useRouter()
  const hydrated = useHydrated()
  const saved = profileOf(organization)
  const {
    form: profile,
    submit,
    unsaved,
    saving,
    problem,
    conflicts,
    takeTheirs,
  } = useSaveForm({
    schema: async () => (await import('@/server/orgs/schema')).OrgProfileFields,
    saved,
    save: async edit => {
      const now = await trpc.orgs.save.mutate({ org: organization.name, ...edit })
      toast.success('Profile saved')
      router.refresh()
      return profileOf(now)
    },
  })
  const { errors } = profile.formState
  const visibility = useWatch({ control: profile.control, name: 'visibility' })
  const field = (name: keyof typeof saved) => ({
    ...profile.register(name),
    defaultValue: saved[name],
    readOnly: !hydrated,
    error: errors[name]?.message,
  })

  return (
    <Panel title="Profile">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The profile was not saved" message={problem} />
        <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
        <TextField {...field('full_name')} label={labels.full_name} optional autoComplete="off" />
        <TextareaField {...field('description')} label={labels.description} optional rows={3} />
        <TextField
          {...field('website')}
          label={labels.website}
          type="url"
          optional
          autoComplete="off"
          placeholder="https://"
        />
        <TextField {...field('location')} label={labels.location} optional autoComplete="off" />
        <TextField
          {...field('email')}
          label={labels.email}
          type="email"
          optional
          autoComplete="off"
          caption="Shown to people who are signed in."
        />
        <VisibilityField field={profile.register('visibility')} value={visibility} />
        <SaveActions words="Save profile" unsaved={unsaved} saving={saving} />
      </form>
    </Panel>
  )
}
