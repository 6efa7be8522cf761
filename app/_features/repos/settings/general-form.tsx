'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useId } from 'react'
import { type UseFormRegisterReturn, useWatch } from 'react-hook-form'
import { Banner } from '@/app/_components/banner'
import { Panel } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import { CheckField, TextareaField, TextField } from '@/app/_components/fields'
import { FormControl, Select } from '@/app/_components/primer'
import { SaveForm } from '@/app/_components/save-form'
import { RepositoryNameField } from '@/app/_features/repos/repository-name-field'
import { shellWord } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { BranchNames } from '@/server/repos/refs/schema'
import type { Repository } from '@/server/repos/schema'

interface GeneralFormProps {
  repository: Repository
  branches: BranchNames
}

const valuesOf = (repository: Repository) => ({
  name: repository.name,
  description: repository.description,
  website: repository.website,
  default_branch: repository.default_branch,
  template: repository.template,
})

const labels = {
  name: 'Name',
  description: 'Description',
  website: 'Website',
  default_branch: 'Default branch',
  template: 'Template',
}

export function GeneralForm({ repository, branches }: GeneralFormProps): ReactNode {
  const router = useRouter()
  const owner = repository.owner.login
  const saved = valuesOf(repository)
  const edit = useSaveForm({
    schema: async () => (await import('@/app/_features/repos/form-schemas')).GeneralValues,
    saved,
    labels,
    save: async change => {
      const now = await trpc.repos.save.mutate({ owner, repo: repository.name, ...change })
      toast.success('Settings saved')
      if (now.name !== repository.name) router.replace(repositoryPath(now, 'settings'))
      return valuesOf(now)
    },
  })
  const name = useWatch({ control: edit.form.control, name: 'name' })

  return (
    <Panel title="General">
      <SaveForm edit={edit} failed="The settings were not saved" action="Save settings">
        <RepositoryNameField
          field={edit.form.register('name')}
          initial={saved.name}
          value={name}
          base={repository.html_url.slice(0, -repository.name.length)}
          error={edit.text('name').error}
        />
        <RenameNotice repository={repository} name={name.trim()} />
        <TextareaField {...edit.text('description')} optional rows={3} />
        <TextField {...edit.text('website')} type="url" optional placeholder="https://" />
        <DefaultBranchField
          field={edit.form.register('default_branch')}
          current={repository.default_branch}
          branches={branches}
          error={edit.text('default_branch').error}
        />
        <CheckField {...edit.check('template')} caption="Marks it as a pattern for new repositories." />
      </SaveForm>
    </Panel>
  )
}

interface DefaultBranchFieldProps {
  field: UseFormRegisterReturn
  current: string
  branches: BranchNames
  error: string | undefined
}

/** One of the branches there are. While there is none, any name; of very many, one typed with suggestions. */
function DefaultBranchField(props: DefaultBranchFieldProps): ReactNode {
  const { field, current, branches, error } = props
  const suggestions = useId()
  if (branches.total === 0 || branches.total > branches.names.length) {
    return (
      <>
        <TextField
          {...field}
          defaultValue={current}
          label="Default branch"
          list={suggestions}
          autoComplete="off"
          spellCheck={false}
          caption={
            branches.total === 0
              ? 'The branch that is pushed first.'
              : 'What a clone begins with. Type any branch.'
          }
          error={error}
        />
        <datalist id={suggestions}>
          {branches.names.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    )
  }
  return (
    <FormControl>
      <FormControl.Label>Default branch</FormControl.Label>
      <Select {...field} defaultValue={current} block>
        {[...new Set([current, ...branches.names])].map(name => (
          <Select.Option key={name} value={name}>
            {name}
          </Select.Option>
        ))}
      </Select>
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      <FormControl.Caption>What a clone begins with.</FormControl.Caption>
    </FormControl>
  )
}

interface RenameNoticeProps {
  repository: Repository
  /** The name to come. */
  name: string
}

/** What another name means for those who know the old one. */
function RenameNotice({ repository, name }: RenameNoticeProps): ReactNode {
  const { owner, full_name, clone_url, ssh_url } = repository
  if (name === '' || name === repository.name) return null
  const addresses = [clone_url, ssh_url]
    .filter(address => address !== '')
    .map(address => address.replace(`${full_name}.git`, `${owner.login}/${name}.git`))
  return (
    <Banner
      variant="info"
      title="The repository gets another address"
      description={
        <>
          <p>
            Links and clones of {full_name} are led on to the new name, until another repository takes the old
            one. Clones are best told the new address:
          </p>
          {addresses.map(address => (
            <CommandLine key={address} command={`git remote set-url origin ${shellWord(address)}`} />
          ))}
        </>
      }
    />
  )
}
