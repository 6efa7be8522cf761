'use client'
// All imports of the UI kit are here: named exports keep the rest out of the bundle. Components that would
// bring a whole family of others into every page, or that lists repeat, have small replacements of our own: banner,
// form-control, label, light-button, menu, pager, select, side-nav, tabs, and the breadcrumbs in page-heading.
export {
  Avatar,
  Button,
  Checkbox,
  Dialog,
  IconButton,
  Link,
  Radio,
  SkeletonBox,
  Textarea,
  TextInput,
} from '@primer/react'
export { FormControl } from './form-control'
export { Label } from './label'
export { Select } from './select'
