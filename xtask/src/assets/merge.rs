//! Joins modules that the splitter has taken out of the compiled wasm.

use anyhow::{Result, bail};
use std::{fmt, ops::Range};
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ElementSection, EntityType, FunctionSection, ImportSection,
    Module, RawSection, SectionId,
    reencode::{Error, Reencode},
};
use wasmparser::{Parser, Payload, TypeRef};

/// Joins modules into one that defines what they define. It has no names, and short numbers where the
/// linker left room.
///
/// # Errors
///
/// The modules have different types, or more than the splitter writes: imports of memories, tables and
/// globals, functions, and what is copied into tables and memories.
pub fn merge<'m>(modules: impl IntoIterator<Item = &'m [u8]>) -> Result<Vec<u8>> {
    let mut merged = Merged::default();
    for module in modules {
        merged.add(module)?;
    }
    Ok(merged.finish())
}

#[derive(Default)]
struct Merged {
    types: Vec<u8>,
    imports: Vec<Import>,
    functions: FunctionSection,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
}

#[derive(PartialEq)]
struct Import {
    module: String,
    name: String,
    kind: EntityType,
}

/// The numbers that the items of one module have in the joined module.
#[derive(Default)]
struct Numbers {
    first_function: u32,
    first_element: u32,
    first_data: u32,
    memories: Vec<u32>,
    tables: Vec<u32>,
    globals: Vec<u32>,
}

/// The number of a memory, table or global that the module defines itself.
#[derive(Debug)]
struct NotImported(u32);

impl fmt::Display for NotImported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memory, table or global {} is not imported", self.0)
    }
}

impl std::error::Error for NotImported {}

impl Reencode for Numbers {
    type Error = NotImported;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Self::Error>> {
        Ok(self.first_function + function)
    }

    fn element_index(&mut self, element: u32) -> Result<u32, Error<Self::Error>> {
        Ok(self.first_element + element)
    }

    fn data_index(&mut self, data: u32) -> Result<u32, Error<Self::Error>> {
        Ok(self.first_data + data)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, Error<Self::Error>> {
        imported(&self.memories, memory)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error<Self::Error>> {
        imported(&self.tables, table)
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<Self::Error>> {
        imported(&self.globals, global)
    }
}

fn imported(numbers: &[u32], number: u32) -> Result<u32, Error<NotImported>> {
    numbers.get(number as usize).copied().ok_or(Error::UserError(NotImported(number)))
}

impl Merged {
    fn add(&mut self, module: &[u8]) -> Result<()> {
        let mut numbers = Numbers {
            first_function: self.functions.len(),
            first_element: self.elements.len(),
            first_data: self.data.len(),
            ..Numbers::default()
        };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => {
                    let Range { start, end } = section.range();
                    self.add_types(&module[usize::try_from(start)?..usize::try_from(end)?])?;
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        self.add_import(import?, &mut numbers)?;
                    }
                }
                Payload::FunctionSection(section) => {
                    numbers.parse_function_section(&mut self.functions, section)?;
                }
                Payload::ElementSection(section) => {
                    numbers.parse_element_section(&mut self.elements, section)?;
                }
                Payload::CodeSectionEntry(body) => numbers.parse_function_body(&mut self.code, body)?,
                Payload::DataSection(section) => numbers.parse_data_section(&mut self.data, section)?,
                Payload::ExportSection(section) if section.count() == 0 => {}
                Payload::Version { .. }
                | Payload::CodeSectionStart { .. }
                | Payload::DataCountSection { .. }
                | Payload::CustomSection(_)
                | Payload::End(_) => {}
                other => bail!("a part of the wasm has a section that is not expected: {other:?}"),
            }
        }
        Ok(())
    }

    /// All modules have the types of the wasm from which they were taken.
    fn add_types(&mut self, types: &[u8]) -> Result<()> {
        if self.types.is_empty() {
            self.types = types.to_vec();
        }
        if self.types != types {
            bail!("the parts of the wasm have different types");
        }
        Ok(())
    }

    fn add_import(&mut self, import: wasmparser::Import<'_>, numbers: &mut Numbers) -> Result<()> {
        let of_kind = match import.ty {
            TypeRef::Memory(_) => &mut numbers.memories,
            TypeRef::Table(_) => &mut numbers.tables,
            TypeRef::Global(_) => &mut numbers.globals,
            other => bail!("a part of the wasm imports {}: {other:?}", import.name),
        };
        let new = Import {
            module: import.module.to_owned(),
            name: import.name.to_owned(),
            kind: Numbers::default().entity_type(import.ty)?,
        };
        let is_of_kind =
            |one: &&Import| std::mem::discriminant(&one.kind) == std::mem::discriminant(&new.kind);
        let known = self.imports.iter().filter(is_of_kind);
        let number = known.clone().position(|one| *one == new).unwrap_or_else(|| known.count());
        of_kind.push(u32::try_from(number)?);
        if !self.imports.contains(&new) {
            self.imports.push(new);
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut imports = ImportSection::new();
        for import in &self.imports {
            imports.import(&import.module, &import.name, import.kind);
        }
        let mut module = Module::new();
        module.section(&RawSection { id: SectionId::Type as u8, data: &self.types });
        module.section(&imports).section(&self.functions).section(&self.elements);
        module.section(&DataCountSection { count: self.data.len() });
        module.section(&self.code).section(&self.data);
        module.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        CodeSection, ConstExpr, Elements, Function, GlobalType, MemoryType, RefType, TableType, TypeSection,
        ValType,
    };

    /// A module with one function that calls itself and is in the table at `slot`. `globals`: what it imports.
    fn module(slot: i32, globals: &[&str]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        for name in globals {
            let global = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
            imports.import("main", name, global);
        }
        let table = TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 2,
            maximum: None,
            shared: false,
        };
        imports.import("main", "table", table);
        let memory =
            MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        imports.import("main", "memory", memory);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(slot), Elements::Functions([0].as_slice().into()));
        let mut function = Function::new([]);
        let mut body = function.instructions();
        body.call(0);
        for number in 0..globals.len() {
            body.global_get(u32::try_from(number).unwrap()).drop();
        }
        body.end();
        let mut code = CodeSection::new();
        code.function(&function);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(slot * 8), b"bytes".iter().copied());
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&elements);
        module.section(&DataCountSection { count: 1 }).section(&code).section(&data);
        module.finish()
    }

    #[test]
    fn the_numbers_of_all_modules_are_joined() {
        let modules = [module(0, &[]), module(1, &["one", "two"]), module(2, &["two"])];
        let merged = merge(modules.iter().map(|module| &module[..])).unwrap();
        wasmparser::validate(&merged).unwrap();
        let text = format!("{:?}", instructions(&merged));
        assert_eq!(
            text,
            "[[Call { function_index: 0 }], \
             [Call { function_index: 1 }, GlobalGet { global_index: 0 }, Drop, GlobalGet { global_index: 1 }, Drop], \
             [Call { function_index: 2 }, GlobalGet { global_index: 1 }, Drop]]"
        );
        // Joined once more, nothing changes.
        assert_eq!(merge([&merged[..]]).unwrap(), merged);
    }

    /// The instructions of each function, without their ends.
    fn instructions(module: &[u8]) -> Vec<Vec<wasmparser::Operator<'_>>> {
        let bodies = Parser::new(0).parse_all(module).filter_map(|payload| match payload.unwrap() {
            Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        fn instructions(body: wasmparser::FunctionBody<'_>) -> Vec<wasmparser::Operator<'_>> {
            let all = body.get_operators_reader().unwrap().into_iter().map(Result::unwrap);
            all.filter(|one| !matches!(one, wasmparser::Operator::End)).collect()
        }
        bodies.map(instructions).collect()
    }

    #[test]
    fn a_module_with_other_types_or_an_export_is_refused() {
        let (one, mut types) = (module(0, &[]), TypeSection::new());
        types.ty().function([ValType::I32], []);
        let mut other = Module::new();
        let other = other.section(&types).clone().finish();
        assert!(merge([&one[..], &other[..]]).unwrap_err().to_string().contains("different types"));
        let mut exports = wasm_encoder::ExportSection::new();
        exports.export("memory", wasm_encoder::ExportKind::Memory, 0);
        let mut exporting = Module::new();
        exporting.section(&exports);
        assert!(merge([&exporting.finish()[..]]).is_err());
    }
}
