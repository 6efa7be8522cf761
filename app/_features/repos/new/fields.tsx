'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { CheckField, ChoiceGroup } from '@/app/_components/fields'
import { FormControl, Radio, Select } from '@/app/_components/primer'
import { commonLicenses } from './common-licenses'

interface OwnerFieldProps {
  field: UseFormRegisterReturn
  owners: readonly string[]
}

/** Oneself first, then the organizations. */
export function OwnerField({ field, owners }: OwnerFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Owner</FormControl.Label>
      <Select {...field} block>
        {owners.map(owner => (
          <Select.Option key={owner} value={owner}>
            {owner}
          </Select.Option>
        ))}
      </Select>
      {owners.length === 1 ? (
        <FormControl.Caption>
          Organizations appear here when one of your teams may create repositories.
        </FormControl.Caption>
      ) : null}
    </FormControl>
  )
}

interface VisibilityFieldProps {
  field: UseFormRegisterReturn
  value: 'public' | 'private'
  owner: string
  isMine: boolean
}

export function VisibilityField({ field, value, owner, isMine }: VisibilityFieldProps): ReactNode {
  return (
    <ChoiceGroup legend="Visibility">
      <FormControl>
        <Radio {...field} value="public" checked={value === 'public'} />
        <FormControl.Label>Public</FormControl.Label>
        <FormControl.Caption>
          Everyone who can see {isMine ? 'you' : owner} can see and clone it.
        </FormControl.Caption>
      </FormControl>
      <FormControl>
        <Radio {...field} value="private" checked={value === 'private'} />
        <FormControl.Label>Private</FormControl.Label>
        <FormControl.Caption>
          {isMine
            ? 'Only you and those you give access can see it.'
            : `Only owners of ${owner} and those who are given access can see it.`}
        </FormControl.Caption>
      </FormControl>
    </ChoiceGroup>
  )
}

interface BeginningFieldsProps {
  hasReadme: boolean
  onReadme: (wanted: boolean) => void
  /** Something else was chosen, and there is no commit without a README. */
  needsReadme: boolean
  gitignore: UseFormRegisterReturn
  license: UseFormRegisterReturn
  gitignores: readonly string[]
}

/** What the first commit of a repository holds. */
export function BeginningFields(props: BeginningFieldsProps): ReactNode {
  const { hasReadme, onReadme, needsReadme, gitignore, license, gitignores } = props
  return (
    <>
      <CheckField
        checked={hasReadme || needsReadme}
        onChange={event => onReadme(event.target.checked)}
        disabled={needsReadme}
        label="Add a README"
        caption={
          needsReadme
            ? 'The repository begins with a commit, which holds a README beside what you chose below.'
            : 'The repository begins with a commit and can be cloned at once. Leave it off to push what you have.'
        }
      />
      <FormControl>
        <FormControl.Label>Add .gitignore</FormControl.Label>
        <Select {...gitignore} block>
          <Select.Option value="">None</Select.Option>
          {gitignores.map(name => (
            <Select.Option key={name} value={name}>
              {name}
            </Select.Option>
          ))}
        </Select>
        <FormControl.Caption>Keeps out of git what tools leave behind.</FormControl.Caption>
      </FormControl>
      <FormControl>
        <FormControl.Label>License</FormControl.Label>
        <Select {...license} block>
          <Select.Option value="">None</Select.Option>
          {Object.entries(commonLicenses).map(([key, name]) => (
            <Select.Option key={key} value={key}>
              {name}
            </Select.Option>
          ))}
        </Select>
        <FormControl.Caption>Says what others may do with your code.</FormControl.Caption>
      </FormControl>
    </>
  )
}
