// Package crosspairs holds comparisons against pictures of real pages: captures of the sample site, the zoo and the labelled
// pages, each against each other and against twisted forms of itself. Two of 2,250 such pairs once broke alignment, which generated
// stripes had never done. It has tests only.
package crosspairs
