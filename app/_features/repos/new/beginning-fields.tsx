'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { CheckField } from '@/app/_components/check-field'
import { FormControl, Select } from '@/app/_components/primer'
import { commonLicenses } from './common-licenses'

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
