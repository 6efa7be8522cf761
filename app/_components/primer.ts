'use client'
// All of the UI kit is imported here: naming what is used keeps the rest out of the bundle. What would bring a whole
// family of other components into every page has a small counterpart of our own: banner, form-control, menu, side-nav, tabs and
// the trail in page-heading.
export {
  Avatar,
  Button,
  Checkbox,
  Dialog,
  IconButton,
  Label,
  Link,
  Pagination,
  Radio,
  Select,
  SkeletonBox,
  Textarea,
  TextInput,
} from '@primer/react'
export { FormControl } from './form-control'
